// n: 600000
#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
  unsigned n, x = 1;
  if (std::scanf("%u", &n) != 1) return 1;
  std::vector<unsigned> v(n);
  for (auto& y : v) y = x = x * 1664525u + 1013904223u;
  std::sort(v.begin(), v.end());
  std::printf("%u\n", v[n / 2]);
}
