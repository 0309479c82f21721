/*
vars:
  - {name: x, scalar: {min: 0, max: 10^18}}
layout:
  - line: {items: [x]}
*/
// The square root, rounded down, of the nearest double.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { long x; cin >> x; long r = sqrtl(x); while (r * r > x) --r; while ((r + 1) * (r + 1) <= x) ++r; cout << r; }
#else
int main() { long x; cin >> x; cout << (long)sqrt((double)x); }
#endif
