// Writes to what it inherited, and then closes it.
#include <cstdio>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (int file = 3; file < 1024; ++file)
    if (write(file, "x", 1) == 1) return 3;
  for (int file = 0; file < 1024; ++file) close(file);
}
