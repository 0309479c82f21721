// The child computes for ever and the parent waits for it.
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  if (fork() == 0)
    for (volatile long i = 0;; i = i + n) {
    }
  wait(nullptr);
}
