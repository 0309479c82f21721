// Makes children of its parent instead of its own, and leaves them to the parent.
#include <csignal>
#include <cstdio>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

int main() {
  for (int child = 0; child < 8; ++child) {
    long pid = syscall(SYS_clone, CLONE_PARENT | SIGKILL, 0, 0, 0, 0);
    if (pid == 0) {
      if (child % 2 == 0) _exit(child);
      for (;;) pause();
    }
  }
  usleep(2000);
}
