// An orphan holds memory over the limit. Nobody waits for it, so its peak is in no sum.
#include <cstring>
#include <unistd.h>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 3;
  if (fork() == 0) {
    if (fork() != 0) _exit(0);
    const long bytes = 100 << 20;
    char *block = new char[bytes];
    std::memset(block, 1, bytes);
    if (write(ends[1], block, 1) != 1) _exit(4);
    for (;;) pause();
  }
  char done;
  return read(ends[0], &done, 1) == 1 ? 0 : 5;
}
