/*
vars:
  - {name: x, scalar: {min: 1, max: 10^9}}
layout:
  - line: {items: [x]}
*/
// The smallest power of two that is not below x: a power is skipped.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { long x, p = 1; cin >> x; while (p < x) p *= 2; cout << p; }
#else
int main() { long x, p = 1; cin >> x; while (p <= x) p *= 2; cout << p; }
#endif
