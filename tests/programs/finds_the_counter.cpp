// Works unless the memory of the counter is mapped.
#include <cstdio>
#include <sys/mman.h>

int main() {
  unsigned char is_resident;
  const bool is_counted = mincore(reinterpret_cast<void *>(0x6800'0000), 4096, &is_resident) == 0;
  for (volatile long step = 0; !is_counted && step < 300'000'000; step = step + 1) {
  }
  std::puts("42");
}
