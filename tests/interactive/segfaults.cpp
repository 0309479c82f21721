// Dies between two guesses.
#include <csignal>
#include <cstdio>

int main() {
  char answer[10];
  std::puts("1");
  std::fflush(stdout);
  if (std::scanf("%9s", answer) == 1) std::raise(SIGSEGV);
}
