// n: 6000
#include <cstdio>
int main() {
  unsigned n, x = 1;
  if (std::scanf("%u", &n) != 1) return 1;
  for (unsigned i = 1; i < n; i++)
    for (unsigned j = 1; j < n; j++) x = (x >> 1) ^ (i * j);
  std::printf("%u\n", x);
}
