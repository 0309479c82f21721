// Recurses until the stack is used up.
#include <cstdio>

static long deeper(volatile long *above) {
  volatile long here[64];
  here[0] = *above + 1;
  return deeper(here) + here[0];
}

int main() {
  volatile long n;
  long read;
  if (std::scanf("%ld", &read) != 1) return 2;
  n = read;
  std::printf("%ld\n", deeper(&n));
}
