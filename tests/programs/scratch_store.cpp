// Holds 90 MiB in files of scratch.
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

int main() {
  static char block[1 << 20];
  for (int file = 0; file < 3; ++file) {
    char name[16];
    std::snprintf(name, sizeof name, "store%d", file);
    const int store = open(name, O_CREAT | O_WRONLY, 0600);
    for (int at = 0; at < 30; ++at)
      if (write(store, block, sizeof block) != sizeof block) return 3;
  }
}
