// Signals every process it can find, and then plays by the rules.
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <sys/ptrace.h>
#include <unistd.h>

int main() {
  for (int signal : {SIGSTOP, SIGKILL}) {
    kill(-1, signal);
    for (int pid = 2; pid < 300; ++pid)
      if (pid != getpid() && kill(pid, signal) == 0) return 2;
  }
  for (int pid = 1; pid < 300; ++pid)
    if (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0) return 3;
  std::puts("66");
  std::fflush(stdout);
  char answer[10];
  return std::scanf("%9s", answer) == 1 && *answer == '=' ? 0 : 4;
}
