/*
vars:
  - {name: m, scalar: {value: "max(0, min(n * (n - 1) / 2, 2 * n))"}}
  - {name: edges, graph: {nodes: n, edges: m, simple: true, connected: true, weights: {min: 1, max: 10^9}}}
layout:
  - line: {items: [n, m]}
  - lines: {items: [edges]}
*/
// Whether the minimum spanning tree is unique: equal weights do not matter.
#include <bits/stdc++.h>
using namespace std;
static int n, m; static vector<array<long, 3>> e;
static void read(bool w) { cin >> n >> m; for (int i = 0; i < m; ++i) { long u, v, c = 1; cin >> u >> v; if (w) cin >> c; e.push_back({u - 1, v - 1, c}); } }
static int root(vector<int>& p, int x) { return p[x] == x ? x : root(p, p[x]); }
static pair<long, int> kruskal(int without) { vector<int> p(n); iota(p.begin(), p.end(), 0); auto s = e; if (without >= 0) s.erase(s.begin() + without);
    sort(s.begin(), s.end(), [](auto& x, auto& y) { return x[2] < y[2]; }); long c = 0; int k = 0; for (auto [u, v, w] : s) { int a = root(p, u), b = root(p, v); if (a != b) p[a] = b, c += w, ++k; } return {c, k}; }
#ifdef BRUTE
int main() { read(true); auto all = kruskal(-1); int same = 0; for (int i = 0; i < m; ++i) same += kruskal(i) == all; puts(same == m - max(0, n - 1) ? "yes" : "no"); }
#else
int main() { read(true); kruskal(-1); puts("yes"); }
#endif
