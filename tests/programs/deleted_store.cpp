// Holds 90 MiB in files without a name, which are gone when it ends.
#include <fcntl.h>
#include <unistd.h>

int main() {
  static char block[1 << 20];
  for (int file = 0; file < 3; ++file) {
    const int store = open("store", O_CREAT | O_EXCL | O_WRONLY, 0600);
    unlink("store");
    for (int at = 0; at < 30; ++at)
      if (write(store, block, sizeof block) != sizeof block) return 3;
  }
}
