// Makes the kernel send signals to process 1 and to its parent: by pipes that become readable, and
// by locks.
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

int main() {
  for (int target : {1, static_cast<int>(getppid()), -1, -static_cast<int>(getppid())})
    for (int signal : {0, SIGKILL, SIGSTOP, SIGSEGV, SIGTERM}) {
      int ends[2];
      if (pipe(ends) != 0) return 3;
      fcntl(ends[0], F_SETOWN, target);
      fcntl(ends[0], F_SETSIG, signal);
      fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
      if (write(ends[1], "x", 1) != 1) return 4;
      close(ends[0]);
      close(ends[1]);
    }
}
