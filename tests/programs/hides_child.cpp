// A child computes that nobody waits for, so its time is in no sum. The parent waits for it while
// runnable, so that this looks like waiting for others.
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

int main() {
  std::signal(SIGCHLD, SIG_IGN);
  int ends[2];
  if (pipe2(ends, O_NONBLOCK) != 0) return 3;
  if (fork() == 0) {
    while (std::clock() < CLOCKS_PER_SEC / 5) {
    }
    _exit(0);
  }
  close(ends[1]);
  // The child's end of the pipe closes with the child.
  for (char byte; read(ends[0], &byte, 1) != 0;) sched_yield();
}
