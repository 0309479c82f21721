/*
vars:
  - {name: x, scalar: {min: 0, max: 10^9}}
  - {name: y, scalar: {min: 0, max: 10^9}}
layout:
  - line: {items: [x, y]}
*/
// The greatest common divisor: it divides by zero.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { long a, b; cin >> a >> b; while (b) { long r = a % b; a = b; b = r; } cout << a; }
#else
int main() { long a, b; cin >> a >> b; while (a % b) { long r = a % b; a = b; b = r; } cout << b; }
#endif
