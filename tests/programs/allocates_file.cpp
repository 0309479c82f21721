// Reserves space for its stdout and for a file, within its view and outside.
#include <fcntl.h>
#include <linux/falloc.h>
#include <unistd.h>

int main() {
  int file = open("reserved", O_CREAT | O_RDWR, 0600);
  bool refused = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 2L << 30) != 0;
  refused &= fallocate(1, FALLOC_FL_KEEP_SIZE, 0, 2L << 30) != 0;
  refused &= fallocate(1, 0, 0, 2L << 30) != 0;
  return refused ? 3 : 0;
}
