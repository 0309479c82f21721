// SIGKILL, and nobody of ours sent it.
#include <csignal>
#include <cstdio>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  kill(getpid(), SIGKILL);
  for (;;) pause();
}
