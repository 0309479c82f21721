/*
vars:
  - {name: a, array: {len: n, min: 1, max: 10^9}}
  - {name: k, scalar: {min: 2, max: 10^9}}
layout:
  - line: {items: [n, k]}
  - line: {items: [a]}
*/
// Whether two different elements sum to k: an element with itself counts.
#include <bits/stdc++.h>
using namespace std;
static vector<long> a; static long n, k;
static void read() { cin >> n >> k; for (long x; (long)a.size() < n && cin >> x;) a.push_back(x); }
#ifdef BRUTE
int main() { read(); for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) if (a[i] + a[j] == k) return puts("yes"), 0; puts("no"); }
#else
int main() { read(); set<long> s(a.begin(), a.end()); for (long x : a) if (s.count(k - x)) return puts("yes"), 0; puts("no"); }
#endif
