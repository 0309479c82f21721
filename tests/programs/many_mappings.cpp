// Makes as many mappings as possible, none of which can be merged with another.
#include <sys/mman.h>

int main() {
  int made = 0;
  for (; made < 100'000; ++made)
    if (mmap(nullptr, 4096, made % 2 ? PROT_READ : PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
      break;
  return made > 60'000 ? 0 : 3;
}
