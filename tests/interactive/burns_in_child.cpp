// A child that nobody waits for computes for 150 ms. Then the parent guesses right.
#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

int main() {
  int line[2];
  char done = 1;
  std::signal(SIGCHLD, SIG_IGN);
  if (pipe(line) != 0) return 2;
  if (fork() == 0) {
    while (std::clock() < CLOCKS_PER_SEC * 15 / 100) {}
    _exit(write(line[1], &done, 1) == 1 ? 0 : 3);
  }
  if (read(line[0], &done, 1) != 1) return 4;
  std::puts("66");
}
