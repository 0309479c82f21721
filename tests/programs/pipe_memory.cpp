// Memory that is in no process's resident set: pipes, as full as they get, in many processes.
#include <fcntl.h>
#include <unistd.h>

int main() {
  static char block[1 << 16];
  for (int child = 0; child < 20; ++child) fork();
  for (int ends[2]; pipe2(ends, O_NONBLOCK) == 0;) {
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    while (write(ends[1], block, sizeof block) > 0) {
    }
  }
}
