/*
vars:
  - {name: m, scalar: {value: 3 * n}}
  - {name: edges, graph: {nodes: n, edges: m}}
layout:
  - line: {items: [n, m]}
  - lines: {items: [edges]}
*/
// The distance from node 1 to node n: a large number if there is no path.
#include <bits/stdc++.h>
using namespace std;
static int n, m; static vector<array<long, 3>> e;
static void read(bool w) { cin >> n >> m; for (int i = 0; i < m; ++i) { long u, v, c = 1; cin >> u >> v; if (w) cin >> c; e.push_back({u - 1, v - 1, c}); } }
#ifdef BRUTE
int main() { read(false); if (!n) return 0; vector<long> d(n, 1e9); d[0] = 0; for (int r = 0; r < n; ++r) for (auto [u, v, w] : e) d[v] = min(d[v], d[u] + 1), d[u] = min(d[u], d[v] + 1); cout << (d[n - 1] < 1e9 ? d[n - 1] : -1); }
#else
int main() { read(false); if (!n) return 0; vector<long> d(n, 1e9); d[0] = 0; for (int r = 0; r < n; ++r) for (auto [u, v, w] : e) d[v] = min(d[v], d[u] + 1), d[u] = min(d[u], d[v] + 1); cout << d[n - 1]; }
#endif
