/*
vars:
  - {name: s, text: {len: n}}
layout:
  - raw: s
*/
// Distinct substrings by a hash in which a is 0.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { string s; cin >> s; set<string> all; for (size_t i = 0; i < s.size(); ++i) for (size_t j = i; j < s.size(); ++j) all.insert(s.substr(i, j - i + 1)); cout << all.size(); }
#else
int main() { string s; cin >> s; set<long> all; for (size_t i = 0; i < s.size(); ++i) { long h = 0; for (size_t j = i; j < s.size(); ++j) all.insert(h = (h * 131 + s[j] - 'a') % 1000000007); } cout << all.size(); }
#endif
