// Keeps writing to a program that may have left.
#include <unistd.h>

int main() {
  char byte;
  while (read(0, &byte, 1) == 1) {}
  for (int turn = 0; turn < 100; ++turn)
    if (write(1, "more\n", 5) < 0) return 1;
}
