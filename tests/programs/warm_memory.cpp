// Holds 100 MiB only if its parent is not pid 1, which is so in the warm-up under /usr/bin/time.
// Every run takes the same processor time.
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <unistd.h>

int main() {
  if (getppid() != 1) {
    const long bytes = 100 << 20;
    char *block = static_cast<char *>(std::malloc(bytes));
    std::memset(block, 1, bytes);
    asm volatile("" : : "r"(block) : "memory");
  }
  while (std::clock() < CLOCKS_PER_SEC / 5) {
  }
}
