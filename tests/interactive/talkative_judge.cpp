// Writes until nobody can read it any more. A pipe that is full blocks, so this ends only when the
// program's end of the pipe is closed, however late the kernel closes it.
#include <unistd.h>

int main() {
  char byte;
  while (read(0, &byte, 1) == 1) {}
  while (write(1, "more\n", 5) > 0) {}
  return 1;
}
