// Writes without end.
#include <cstring>
#include <unistd.h>

int main() {
  char block[65536];
  std::memset(block, '1', sizeof block);
  while (write(1, block, sizeof block) > 0) {}
  return 6;
}
