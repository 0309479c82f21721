/*
vars:
  - {name: x, scalar: {min: 2, max: 10^9}}
layout:
  - line: {items: [x]}
*/
// Whether x is prime: the square of a prime passes.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { long x; cin >> x; for (long i = 2; i * i <= x; ++i) if (x % i == 0) return puts("no"), 0; puts("yes"); }
#else
int main() { long x; cin >> x; for (long i = 2; i * i < x; ++i) if (x % i == 0) return puts("no"), 0; puts("yes"); }
#endif
