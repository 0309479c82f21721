/*
vars:
  - {name: a, array: {len: n, min: 1, max: 10^9}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
*/
// Whether a number takes more than half: half is enough.
#include <bits/stdc++.h>
using namespace std;
static vector<long> numbers() { long n, x; cin >> n; vector<long> a; while (n-- > 0 && cin >> x) a.push_back(x); return a; }
#ifdef BRUTE
int main() { map<long, long> c; auto a = numbers(); for (long x : a) if (2 * ++c[x] > (long)a.size()) return puts("yes"), 0; puts("no"); }
#else
int main() { map<long, long> c; auto a = numbers(); for (long x : a) if (2 * ++c[x] >= (long)a.size() && a.size() > 1) return puts("yes"), 0; puts(a.size() == 1 ? "yes" : "no"); }
#endif
