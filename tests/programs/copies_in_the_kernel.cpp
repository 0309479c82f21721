// Lets the kernel copy 2 GiB into a file, one MiB in each call.
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

int main() {
  static char block[1 << 20];
  const int file = open("copy", O_CREAT | O_RDWR, 0600);
  for (int call = 0; call < 2048; ++call)
    if (pwrite(file, block, sizeof block, 0) != sizeof block) return 3;
  std::puts("42");
}
