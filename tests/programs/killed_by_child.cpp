// Its own child kills it: no limit was met, and nobody of ours has done it.
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
