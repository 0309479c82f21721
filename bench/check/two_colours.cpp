/*
vars:
  - {name: m, scalar: {value: "min(n * max(n - 1, 0) / 2, 2 * n)"}}
  - {name: edges, graph: {nodes: n, edges: m, simple: true}}
layout:
  - line: {items: [n, m]}
  - lines: {items: [edges]}
*/
// Whether a graph is bipartite: only the component of node 1 is searched.
#include <bits/stdc++.h>
using namespace std;
static int n, m; static vector<array<long, 3>> e;
static void read(bool w) { cin >> n >> m; for (int i = 0; i < m; ++i) { long u, v, c = 1; cin >> u >> v; if (w) cin >> c; e.push_back({u - 1, v - 1, c}); } }
#ifdef BRUTE
int main() { read(false); vector<int> c(n + 1, -1); for (int s = 0; s < n; ++s) if (c[s] < 0) { c[s] = 0; for (int r = 0; r < n; ++r) for (auto [u, v, w] : e) { if (c[u] >= 0 && c[v] < 0) c[v] = 1 - c[u]; if (c[v] >= 0 && c[u] < 0) c[u] = 1 - c[v]; } } for (auto [u, v, w] : e) if (c[u] == c[v]) return puts("no"), 0; puts("yes"); }
#else
int main() { read(false); vector<int> c(n + 1, -1); c[0] = 0; for (int r = 0; r < n; ++r) for (auto [u, v, w] : e) { if (c[u] >= 0 && c[v] < 0) c[v] = 1 - c[u]; if (c[v] >= 0 && c[u] < 0) c[u] = 1 - c[v]; } for (auto [u, v, w] : e) if (c[u] >= 0 && c[u] == c[v]) return puts("no"), 0; puts("yes"); }
#endif
