// A file of 2 GiB that takes no space.
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  int file = open("/tmp/sparse", O_CREAT | O_WRONLY, 0600);
  return ftruncate(file, 2L << 30) == 0 ? 0 : 3;
}
