/*
vars:
  - {name: x, scalar: {min: -10^9, max: 10^9}}
  - {name: m, scalar: {min: 1, max: 10^9}}
layout:
  - line: {items: [x, m]}
*/
// A remainder that should never be negative: m itself for multiples of m below 1.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { long x, m; cin >> x >> m; cout << ((x % m) + m) % m; }
#else
int main() { long x, m; cin >> x >> m; cout << (x > 0 ? x % m : m + x % m); }
#endif
