// Ends at once, and leaves a child in another session that keeps stdout open.
#include <cstdio>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  if (fork() == 0) {
    setsid();
    if (fork() == 0)
      for (;;) pause();
    _exit(0);
  }
}
