// Cannot get memory, and reports this by its exit code.
#include <cstdio>
#include <cstdlib>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  void *volatile memory = std::malloc(1UL << 46);
  return memory == nullptr ? 1 : 0;
}
