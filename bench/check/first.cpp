/*
vars:
  - {name: a, array: {len: n, min: 1, max: 10^9, order: sorted}}
  - {name: q, scalar: {min: 1, max: 10^9}}
layout:
  - line: {items: [n, q]}
  - line: {items: [a]}
*/
// The first place of q in sorted numbers: any of its places.
#include <bits/stdc++.h>
using namespace std;
static vector<long> a; static long n, q;
static void read() { cin >> n >> q; for (long x; (long)a.size() < n && cin >> x;) a.push_back(x); }
#ifdef BRUTE
int main() { read(); for (long i = 0; i < n; ++i) if (a[i] == q) return cout << i, 0; cout << -1; }
#else
int main() { read(); long l = 0, r = n - 1; while (l <= r) { long m = (l + r) / 2; if (a[m] == q) return cout << m, 0; if (a[m] < q) l = m + 1; else r = m - 1; } cout << -1; }
#endif
