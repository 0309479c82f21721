// A global array of 1 GiB that is never touched: its segment alone does not fit.
#include <cstdio>

static char array[1 << 30];

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::printf("%d\n", *static_cast<volatile char *>(array + n));
}
