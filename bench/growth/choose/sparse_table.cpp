// time: n log n
// memory: n log n
// input: ../inputs/array.yaml
// sizes: 1000,10000,50000,100000,200000,500000
// n_max: 500000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<int>> low(1, vector<int>(n));
    for (int i = 0; i < n; i++) scanf("%d", &low[0][i]);
    for (int k = 1; (1 << k) <= n; k++) {
        low.emplace_back(n);
        for (int i = 0; i + (1 << k) <= n; i++)
            low[k][i] = min(low[k - 1][i], low[k - 1][i + (1 << (k - 1))]);
    }
    long long check = 0;
    unsigned state = 7;
    for (int q = 0; q < n; q++) {
        state = state * 1664525u + 1013904223u;
        int l = state % n, r = l + (state >> 8) % (n - l);
        int k = 31 - __builtin_clz(r - l + 1);
        check += min(low[k][l], low[k][r - (1 << k) + 1]);
    }
    printf("%lld\n", check);
}
