// time: n·2ⁿ
// memory: 1
// input: ../inputs/few.yaml
// sizes: 1,4,8,12,14,16,18,19,20,21
// n_max: 21
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int& x : a) scanf("%d", &x);
    long long count = 0;
    for (int mask = 0; mask < 1 << n; mask++) {
        long long sum = 0;
        for (int i = 0; i < n; i++)
            if (mask >> i & 1) sum += a[i];
        count += sum % 7 == 0;
    }
    printf("%lld\n", count);
}
