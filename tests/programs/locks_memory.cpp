// Checks that locking memory is refused.
#include <sys/mman.h>

int main() {
  static char block[1 << 20];
  if (mlock(block, sizeof block) == 0) return 3;
  if (mlockall(MCL_CURRENT | MCL_FUTURE) == 0) return 4;
  void *locked = mmap(nullptr, sizeof block, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);
  return locked == MAP_FAILED ? 0 : 5;
}
