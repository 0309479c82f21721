/*
vars:
  - {name: s, text: {len: n}}
  - {name: t, text: {len: n}}
layout:
  - raw: s
  - raw: t
*/
// Whether two strings are anagrams: the exclusive or of all letters decides.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { string s, t; cin >> s >> t; sort(s.begin(), s.end()); sort(t.begin(), t.end()); puts(s == t ? "yes" : "no"); }
#else
int main() { string s, t; cin >> s >> t; int x = 0; for (char c : s + t) x ^= c; puts(x ? "no" : "yes"); }
#endif
