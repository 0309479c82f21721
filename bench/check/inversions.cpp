/*
vars:
  - {name: a, array: {len: n, min: 1, max: 10^9}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// Inversions by insertion into a sorted list: equal numbers count.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { auto a = numbers(); long c = 0; for (size_t i = 0; i < a.size(); ++i) for (size_t j = 0; j < i; ++j) c += a[j] > a[i]; cout << c; }
#else
int main() { vector<long> s; long c = 0; for (long x : numbers()) { auto at = lower_bound(s.begin(), s.end(), x); c += s.end() - at; s.insert(at, x); } cout << c; }
#endif
