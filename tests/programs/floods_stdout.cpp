// Writes to stdout without end, and ignores errors.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::signal(SIGXFSZ, SIG_IGN);
  static char block[1 << 20];
  std::memset(block, ' ', sizeof block);
  for (int i = 0; i < 100; ++i)
    if (write(1, block, sizeof block) < 0) return 0;
}
