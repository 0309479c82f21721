/*
vars:
  - {name: a, matrix: {rows: n, cols: n, min: -10^9, max: 10^9}}
layout:
  - line: {items: [n]}
  - grid: a
*/
// Whether a matrix equals its transpose: neighbours of the diagonal are not compared.
#include <bits/stdc++.h>
using namespace std;
static int n; static long a[99][99];
static void read() { cin >> n; for (int i = 0; i < n && i < 99; ++i) for (int j = 0; j < n; ++j) cin >> a[i][j]; }
#ifdef BRUTE
int main() { read(); for (int i = 0; i < n; ++i) for (int j = 0; j < i; ++j) if (a[i][j] != a[j][i]) return puts("no"), 0; puts("yes"); }
#else
int main() { read(); for (int i = 0; i < n; ++i) for (int j = 0; j + 1 < i; ++j) if (a[i][j] != a[j][i]) return puts("no"), 0; puts(n == 2 && a[0][1] != a[1][0] ? "no" : "yes"); }
#endif
