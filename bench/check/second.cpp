/*
vars:
  - {name: a, array: {len: n, min: 1, max: 10^9}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// The second largest of the distinct numbers: a second maximum counts.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { auto a = numbers(); set<long> s(a.begin(), a.end()); cout << (s.size() < 2 ? -1 : *next(s.rbegin())); }
#else
int main() { long one = -1, two = -1; for (long x : numbers()) if (x >= one) two = one, one = x; else if (x > two) two = x; cout << two; }
#endif
