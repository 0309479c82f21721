/*
vars:
  - {name: edges, tree: {nodes: n}}
layout:
  - line: {items: [n]}
  - lines: {items: [edges]}
*/
// The lowest common ancestor of nodes 1 and n in a tree with root 1 + n / 2: lifting by three bits.
#include <bits/stdc++.h>
using namespace std;
static int n; static vector<vector<int>> g; static vector<int> up, depth;
static void walk(int v, int from) { up[v] = from; for (int w : g[v]) if (w != from) depth[w] = depth[v] + 1, walk(w, v); }
static void read() { cin >> n; if (!n) exit(0); g.resize(n); up.resize(n); depth.resize(n); for (int i = 1, u, v; i < n; ++i) cin >> u >> v, g[u - 1].push_back(v - 1), g[v - 1].push_back(u - 1); walk(n / 2, n / 2); }
#ifdef BRUTE
int main() { read(); int u = 0, v = n - 1; while (u != v) if (depth[u] >= depth[v]) u = up[u]; else v = up[v]; cout << u + 1; }
#else
int main() { read(); int u = 0, v = n - 1; if (depth[u] < depth[v]) swap(u, v); int k = (depth[u] - depth[v]) & 7; while (k--) u = up[u]; for (int i = 0; i < 7 && u != v; ++i) u = up[u], v = up[v]; cout << u + 1; }
#endif
