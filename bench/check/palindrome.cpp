/*
vars:
  - {name: s, text: {len: n}}
layout:
  - raw: s
*/
// Whether a string is a palindrome: only two pairs are compared.
#include <bits/stdc++.h>
using namespace std;
#ifdef BRUTE
int main() { string s, t; cin >> s; t = s; reverse(t.begin(), t.end()); puts(s == t ? "yes" : "no"); }
#else
int main() { string s; cin >> s; int n = s.size(); for (int i = 0; i < min(n / 2, 2); ++i) if (s[i] != s[n - 1 - i]) return puts("no"), 0; puts("yes"); }
#endif
