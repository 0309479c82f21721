// Writes to an unmapped address.
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  *reinterpret_cast<volatile int *>(n) = 1;
}
