/*
vars:
  - {name: a, array: {len: n, min: 1, max: 10^6}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// The sum in 32 bits: it overflows only for many numbers.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { long s = 0; for (long x : numbers()) s += x; cout << s; }
#else
int main() { unsigned s = 0; for (long x : numbers()) s += x; cout << (int)s; }
#endif
