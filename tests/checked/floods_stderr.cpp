// A checker that prints to stderr for ever.
#include <cstdio>
#include <cstring>

int main() {
  static char block[1 << 20];
  std::memset(block, 'a', sizeof block);
  for (;;) std::fwrite(block, 1, sizeof block, stderr);
}
