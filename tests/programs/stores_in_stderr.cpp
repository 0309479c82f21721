// Keeps 32 MiB in stderr, and tries to read them back. Exits with 1 if it can.
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int main() {
  static char block[1 << 20];
  std::memset(block, 'x', sizeof block);
  for (int call = 0; call < 32; ++call)
    if (write(2, block, sizeof block) != sizeof block) return 3;
  const int again = open("/proc/self/fd/2", O_RDONLY);
  if (again >= 0 || pread(2, block, sizeof block, 0) >= 0) return 1;
  return mmap(nullptr, sizeof block, PROT_READ, MAP_SHARED, 2, 0) != MAP_FAILED;
}
