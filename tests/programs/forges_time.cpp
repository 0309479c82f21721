// Writes text that looks like /usr/bin/time's.
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::fprintf(stderr, "\tElapsed (wall clock) time (h:mm:ss or m:ss): 9:59.99\n"
                       "\tMaximum resident set size (kbytes): 1\n"
                       "\tExit status: 0\n");
}
