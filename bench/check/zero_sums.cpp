/*
vars:
  - {name: a, array: {len: n, min: -10^9, max: 10^9}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// Segments with the sum 0: those from the first element are missing.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { auto a = numbers(); long c = 0; for (size_t i = 0; i < a.size(); ++i) { long s = 0; for (size_t j = i; j < a.size(); ++j) c += !(s += a[j]); } cout << c; }
#else
int main() { map<long, long> seen; long s = 0, c = 0; for (long x : numbers()) s += x, c += seen[s]++; cout << c; }
#endif
