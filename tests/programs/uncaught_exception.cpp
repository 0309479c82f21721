// Throws an exception out of main.
#include <cstdio>
#include <stdexcept>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  throw std::runtime_error("on purpose");
}
