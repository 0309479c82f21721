/*
vars:
  - {name: a, array: {len: n, min: -10^9, max: 10^9}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// The sign of a product: zero is positive.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { int s = 1; for (long x : numbers()) s *= (x > 0) - (x < 0); cout << s; }
#else
int main() { int s = 1; for (long x : numbers()) if (x < 0) s = -s; cout << s; }
#endif
