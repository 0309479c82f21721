// Ends at once, and leaves processes that fork more and begin their own sessions.
#include <csignal>
#include <unistd.h>

int main() {
  for (int signal = 1; signal < 65; ++signal) std::signal(signal, SIG_IGN);
  if (fork() == 0)
    for (;;) {
      if (fork() == 0) setsid();
      else if (fork() > 0) _exit(0);
    }
}
