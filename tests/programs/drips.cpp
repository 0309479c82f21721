// Writes a byte now and then for ever, and must still meet the time limit.
#include <cstdio>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (;;) {
    if (write(1, ".", 1) != 1) return 3;
    usleep(20000);
  }
}
