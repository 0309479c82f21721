// Fails an assertion of its own.
#include <cassert>
#include <cstdio>

int main() {
  long n = -1;
  if (std::scanf("%ld", &n) != 1) return 2;
  assert(n < 0);
}
