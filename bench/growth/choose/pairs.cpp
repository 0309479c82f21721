// time: n²
// memory: n
// input: ../inputs/array.yaml
// sizes: 1000,2000,5000,10000,20000
// n_max: 20000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (auto& x : a) scanf("%d", &x);
    long long good = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if ((a[i] ^ a[j]) % 7 == 3) good++;
    printf("%lld\n", good);
}
