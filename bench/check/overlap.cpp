/*
vars:
  - {name: i, intervals: {len: n, min: 0, max: 10^9}}
layout:
  - line: {items: [n]}
  - lines: {items: [i]}
*/
// The most closed intervals at one point: those that only touch do not count.
#include <bits/stdc++.h>
using namespace std;
static vector<array<long, 2>> p;
static void read() { int n; cin >> n; p.resize(n); for (auto& q : p) cin >> q[0] >> q[1]; }
#ifdef BRUTE
int main() { read(); long best = 0; for (auto [l, r] : p) { long c = 0; for (auto [a, b] : p) c += a <= l && l <= b; best = max(best, c); } cout << best; }
#else
int main() { read(); vector<array<long, 2>> ev; for (auto [l, r] : p) if (l < r) ev.push_back({l, 1}), ev.push_back({r, -1}); sort(ev.begin(), ev.end()); long c = 0, best = !p.empty(); for (auto [x, d] : ev) best = max(best, c += d); cout << best; }
#endif
