// Writes to every descriptor that it has. There are three, and stdin refuses.
#include <fcntl.h>
#include <unistd.h>

int main() {
  int taken = 0;
  for (int file = 0; file < 4096; ++file) {
    if (write(file, "x", 1) == 1) ++taken;
    if (file > 2 && fcntl(file, F_GETFD) >= 0) return 4;
  }
  return taken == 2 && write(0, "x", 1) < 0 ? 0 : 3;
}
