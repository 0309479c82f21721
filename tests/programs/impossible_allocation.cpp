// Requests 2^46 bytes and does not catch the exception.
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  char *memory = new char[1L << 46];
  memory[n] = 1;
  std::printf("%d\n", memory[0]);
}
