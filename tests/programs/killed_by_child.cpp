// Its own child kills it. No limit was met, and the runner did not do it.
#include <csignal>
#include <unistd.h>

int main() {
  pid_t leader = getpid();
  if (fork() == 0) {
    kill(leader, SIGKILL);
    _exit(0);
  }
  for (;;) pause();
}
