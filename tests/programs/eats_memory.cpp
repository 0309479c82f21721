// Allocates and touches memory without end.
#include <cstdio>
#include <cstring>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (;;) std::memset(new char[1 << 20], 1, 1 << 20);
}
