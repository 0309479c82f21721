/*
vars:
  - {name: s, text: {len: n}}
layout:
  - raw: s
*/
// The least rotation: it compares four letters only.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { string s; cin >> s; string b = s; for (size_t i = 0; i < s.size(); ++i) rotate(s.begin(), s.begin() + 1, s.end()), b = min(b, s); cout << b; }
#else
int main() { string s; cin >> s; size_t b = 0, n = s.size(); string d = s + s; for (size_t i = 1; i < n; ++i) if (d.substr(i, min<size_t>(n, 4)) < d.substr(b, min<size_t>(n, 4))) b = i; cout << d.substr(b, n); }
#endif
