// Prints the answer, closes stdout and works on.
#include <cstdio>
#include <ctime>
#include <unistd.h>

int main() {
  std::puts("42");
  std::fclose(stdout);
  close(0);
  while (std::clock() < CLOCKS_PER_SEC / 10) {
  }
  _exit(0);
}
