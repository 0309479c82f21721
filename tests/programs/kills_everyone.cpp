// Kills and stops whatever it can reach: its parent, process 1, every process.
#include <csignal>
#include <cstdio>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::signal(SIGTERM, SIG_IGN);
  // The parent may be /usr/bin/time, which runs as the program's user. The warm-up then ends with
  // it.
  kill(1, SIGKILL);
  kill(1, SIGSTOP);
  kill(getppid(), SIGSTOP);
  kill(getppid(), SIGKILL);
  kill(-1, SIGKILL);
  std::printf("%ld\n", n);
}
