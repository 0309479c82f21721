// Works, if it is counted mostly by letting the kernel copy 4 GiB: the counter loads programs where
// the kernel loads none.
#include <cstdint>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

int main() {
  static char block[1 << 20];
  const bool is_counted = reinterpret_cast<std::uintptr_t>(&block) < 0x6800'0000;
  const int file = open("copy", O_CREAT | O_RDWR, 0600);
  for (int call = 0; is_counted && call < 4096; ++call)
    if (pwrite(file, block, sizeof block, 0) != sizeof block) return 3;
  const long steps = is_counted ? 15'000'000 : 200'000'000;
  for (volatile long step = 0; step < steps; step = step + 1) {
  }
  std::puts("42");
}
