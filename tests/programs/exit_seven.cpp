// Exits with 7.
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  return 7;
}
