// Kills and stops what it can reach: its parent, process 1, everybody.
#include <csignal>
#include <cstdio>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::signal(SIGTERM, SIG_IGN);
  // The parent may be /usr/bin/time, which is the program's own user: the warm-up then ends with it.
  kill(1, SIGKILL);
  kill(1, SIGSTOP);
  kill(getppid(), SIGSTOP);
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
  std::printf("%ld\n", n);
}
