// Divides by zero.
#include <cstdio>

int main() {
  volatile int n, zero = 0;
  int read;
  if (std::scanf("%d", &read) != 1) return 2;
  n = read;
  std::printf("%d\n", n / zero);
}
