// Uses no processor time, and does not end.
#include <cstdio>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (;;) pause();
}
