// Forks twice into its own session and goes on writing to stdout.
#include <csignal>
#include <unistd.h>

int main() {
  if (fork() != 0) return 0;
  setsid();
  if (fork() != 0) _exit(0);
  std::signal(SIGTERM, SIG_IGN);
  while (write(1, "x", 1) == 1) usleep(1000);
}
