/*
vars:
  - {name: a, array: {len: n, min: 0, max: 10^9}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// Elements larger than all before them: a first 0 does not count.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { auto a = numbers(); long c = 0; for (size_t i = 0; i < a.size(); ++i) c += all_of(a.begin(), a.begin() + i, [&](long x) { return x < a[i]; }); cout << c; }
#else
int main() { long top = 0, c = 0; for (long x : numbers()) if (x > top) top = x, ++c; cout << c; }
#endif
