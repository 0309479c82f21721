// Executes an illegal instruction.
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  __builtin_trap();
}
