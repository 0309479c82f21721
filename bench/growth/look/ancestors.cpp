// time: n log n
// memory: n log n
// input: ../inputs/tree.yaml
// sizes: default
// n_max: 100000
// note: Binary lifting: a table of log n rows.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<int>> adj(n + 1);
    for (int i = 1; i < n; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        adj[u].push_back(v);
        adj[v].push_back(u);
    }
    int levels = 1;
    while ((1 << levels) <= n) levels++;
    vector<vector<int>> up(levels, vector<int>(n + 1, 0));
    vector<int> depth(n + 1, 0), order;
    if (n) order.push_back(1);
    for (size_t i = 0; i < order.size(); i++) {
        int u = order[i];
        for (int v : adj[u]) {
            if (v == up[0][u]) continue;
            up[0][v] = u;
            depth[v] = depth[u] + 1;
            order.push_back(v);
        }
    }
    for (int k = 1; k < levels; k++)
        for (int v = 1; v <= n; v++) up[k][v] = up[k - 1][up[k - 1][v]];
    long long check = 0;
    unsigned state = 1;
    for (int q = 0; q < n; q++) {
        state = state * 1664525u + 1013904223u;
        int u = (state >> 4) % n + 1;
        state = state * 1664525u + 1013904223u;
        int v = (state >> 4) % n + 1;
        if (depth[u] < depth[v]) swap(u, v);
        for (int k = levels - 1; k >= 0; k--)
            if (depth[u] - (1 << k) >= depth[v]) u = up[k][u];
        if (u != v) {
            for (int k = levels - 1; k >= 0; k--)
                if (up[k][u] != up[k][v]) u = up[k][u], v = up[k][v];
            u = up[0][u];
        }
        check += u;
    }
    printf("%lld\n", check);
}
