// Closes every descriptor, then uses up all there are.
#include <fcntl.h>
#include <unistd.h>

int main() {
  for (int file = 0; file < 1024; ++file) close(file);
  while (open("/dev/null", O_RDONLY) >= 0) {
  }
}
