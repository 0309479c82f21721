// Writes to every descriptor that it has. There are three, and stdin refuses.
#include <unistd.h>

int main() {
  int taken = 0;
  for (int file = 0; file < 4096; ++file)
    if (write(file, "x", 1) == 1) ++taken;
  return taken == 2 && write(0, "x", 1) < 0 ? 0 : 3;
}
