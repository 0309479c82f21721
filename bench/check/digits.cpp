/*
vars:
  - {name: x, scalar: {min: 1, max: 10^9}}
layout:
  - line: {items: [x]}
*/
// The number of digits by a logarithm: powers of ten have one more.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { long x; cin >> x; cout << to_string(x).size(); }
#else
int main() { long x; cin >> x; cout << max(1, (int)ceil(log10((double)x))); }
#endif
