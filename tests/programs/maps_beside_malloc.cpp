// Holds 64 MiB that no function of malloc has given out.
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

int main() {
  const long bytes = 64 << 20;
  void *block =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return 3;
  std::memset(block, 1, bytes);
  asm volatile("" : : "r"(block) : "memory");
  std::puts("42");
}
