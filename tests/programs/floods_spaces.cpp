// Writes spaces without end.
#include <cstdio>
#include <cstring>

int main() {
  static char spaces[1 << 20];
  std::memset(spaces, ' ', sizeof spaces);
  while (std::fwrite(spaces, sizeof spaces, 1, stdout) == 1) {
  }
}
