/*
vars:
  - {name: a, array: {len: n, min: -10^9, max: 10^9}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// Numbers by magnitude, the negative one first: opposite numbers keep their order.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { auto a = numbers(); sort(a.begin(), a.end()); stable_sort(a.begin(), a.end(), [](long x, long y) { return labs(x) < labs(y); }); for (long x : a) cout << x << ' '; }
#else
int main() { auto a = numbers(); stable_sort(a.begin(), a.end(), [](long x, long y) { return labs(x) < labs(y); }); for (long x : a) cout << x << ' '; }
#endif
