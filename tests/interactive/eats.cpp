// Allocates memory without end after its first guess.
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
  std::puts("1");
  std::fflush(stdout);
  for (;;) std::memset(std::malloc(1 << 20), 1, 1 << 20);
}
