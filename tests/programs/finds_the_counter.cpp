// Works unless nothing can be mapped where the counter may have its memory.
#include <cstdio>
#include <sys/mman.h>

int main() {
  const int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
  void *const place = reinterpret_cast<void *>(0x4000'0000'0000);
  const bool is_counted = mmap(place, 4096, PROT_READ, how, -1, 0) == MAP_FAILED;
  for (volatile long step = 0; !is_counted && step < 300'000'000; step = step + 1) {
  }
  std::puts("42");
}
