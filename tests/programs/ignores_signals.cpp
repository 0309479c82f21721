// Ignores every signal that can be ignored, and computes for ever.
#include <csignal>
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (int number = 1; number < 65; ++number) std::signal(number, SIG_IGN);
  for (volatile long i = 0;; i = i + n) {
  }
}
