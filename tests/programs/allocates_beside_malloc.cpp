// Holds 64 MiB of the function behind malloc.
#include <cstddef>
#include <cstdio>
#include <cstring>

extern "C" void *__libc_malloc(std::size_t bytes);

int main() {
  const std::size_t bytes = 64 << 20;
  void *block = __libc_malloc(bytes);
  if (block == nullptr) return 3;
  std::memset(block, 1, bytes);
  asm volatile("" : : "r"(block) : "memory");
  std::puts("42");
}
