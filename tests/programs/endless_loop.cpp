// Computes for ever.
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (volatile long i = 0;; i = i + n) {
  }
}
