// Works in code that it has made itself.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <sys/mman.h>

int main() {
  // Counts rdi down to 0.
  static const unsigned char code[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};
  void *page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return 3;
  std::memcpy(page, code, sizeof code);
  if (mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0) return 3;
  const auto count = reinterpret_cast<void (*)(long)>(page);
  while (std::clock() < CLOCKS_PER_SEC / 10) count(1'000'000);
  std::puts("42");
}
