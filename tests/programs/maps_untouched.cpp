// Maps 4 GiB and touches none of it: that costs nothing.
#include <cstdio>
#include <sys/mman.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  void *memory = mmap(nullptr, 4UL << 30, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED;
}
