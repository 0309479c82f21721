// Leaves its own gmon.out in place of gprof's: a header, and a histogram of nonsense.
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

static void forge() {
  unsigned char forged[4096];
  std::memset(forged, 0xff, sizeof forged);
  std::memcpy(forged, "gmon\1\0\0\0", 8);
  std::memset(forged + 8, 0, 12);
  int file = open("gmon.out", O_CREAT | O_TRUNC | O_WRONLY, 0600);
  if (write(file, forged, sizeof forged) < 0) _exit(4);
  _exit(0);
}

int main() { forge(); }
