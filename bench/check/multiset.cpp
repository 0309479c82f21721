/*
vars:
  - name: q
    queries:
      len: n
      variants:
        - fields: [{literal: add}, {number: {min: 1, max: 10^9}}]
        - fields: [{literal: erase}, {number: {min: 1, max: 10^9}}]
        - fields: [{literal: count}, {number: {min: 1, max: 10^9}}]
layout:
  - line: {items: [n]}
  - lines: {items: [q]}
*/
// Operations on a multiset: erasing takes all equal numbers.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { int n; cin >> n; vector<long> s; string w; for (long x; cin >> w >> x;) { auto at = find(s.begin(), s.end(), x); if (w == "add") s.push_back(x); else if (w == "erase") { if (at != s.end()) s.erase(at); } else cout << count(s.begin(), s.end(), x) << ' '; } }
#else
int main() { int n; cin >> n; multiset<long> s; string w; for (long x; cin >> w >> x;) if (w == "add") s.insert(x); else if (w == "erase") s.erase(x); else cout << s.count(x) << ' '; }
#endif
