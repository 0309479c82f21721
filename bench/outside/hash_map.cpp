// n: 300000
#include <cstdio>
#include <unordered_map>
int main() {
  unsigned n, x = 1;
  if (std::scanf("%u", &n) != 1) return 1;
  std::unordered_map<unsigned, unsigned> m;
  for (unsigned i = 0; i < n; i++) m[x = x * 1664525u + 1013904223u] += i;
  std::printf("%zu\n", m.size());
}
