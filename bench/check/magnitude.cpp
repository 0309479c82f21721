/*
vars:
  - {name: x, scalar: {min: -2^31, max: 2^31 - 1}}
layout:
  - line: {items: [x]}
*/
// The absolute value of an int: the smallest one has none.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { long x; cin >> x; cout << labs(x); }
#else
int main() { int x; cin >> x; volatile int y = x; if (y < 0) y = (int)(0u - (unsigned)y); cout << y; }
#endif
