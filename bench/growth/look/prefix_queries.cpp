// time: n
// memory: n
// input: ../inputs/ranges.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    vector<long long> sum(n + 1);
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        sum[i + 1] = sum[i] + x;
    }
    long long total = 0;
    while (q--) {
        int l, r;
        scanf("%d %d", &l, &r);
        total += sum[r] - sum[l - 1];
    }
    printf("%lld\n", total);
}
