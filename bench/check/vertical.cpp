/*
vars:
  - {name: p, points: {len: n, min: -10^6, max: 10^6, distinct: true}}
layout:
  - line: {items: [n]}
  - lines: {items: [p]}
*/
// Whether three points are on one line: slopes divide by the difference of x.
#include <bits/stdc++.h>
using namespace std;
static vector<array<long, 2>> p;
static void read() { int n; cin >> n; p.resize(n); for (auto& q : p) cin >> q[0] >> q[1]; }
#ifdef BRUTE
int main() { read(); int n = p.size(); for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) for (int k = 0; k < j; ++k) if ((p[i][0] - p[k][0]) * (p[j][1] - p[k][1]) == (p[i][1] - p[k][1]) * (p[j][0] - p[k][0])) return puts("yes"), 0; puts("no"); }
#else
int main() { read(); int n = p.size(); for (int i = 0; i < n; ++i) { set<double> s; for (int j = 0; j < i; ++j) if (p[i][0] != p[j][0] && !s.insert(double(p[i][1] - p[j][1]) / (p[i][0] - p[j][0])).second) return puts("yes"), 0; } puts("no"); }
#endif
