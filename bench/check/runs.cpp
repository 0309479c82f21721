/*
vars:
  - {name: a, array: {len: n, min: -10^9, max: 10^9}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// The longest run that does not fall: it must rise.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { auto a = numbers(); long best = 0; for (size_t i = 0; i < a.size(); ++i) { size_t j = i + 1; while (j < a.size() && a[j] >= a[j - 1]) ++j; best = max<long>(best, j - i); } cout << best; }
#else
int main() { auto a = numbers(); long best = 0, run = 0; for (size_t i = 0; i < a.size(); ++i) best = max(best, run = i && a[i] > a[i - 1] ? run + 1 : 1); cout << best; }
#endif
