// Says things, and waits for an answer each time.
#include <unistd.h>

int main() {
  char byte;
  while (write(1, ".", 1) == 1 && read(0, &byte, 1) == 1 && byte == '.') {}
}
