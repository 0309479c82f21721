// Grows with the square of n, and fills up what that takes up to the largest size of the test so
// that it looks like n.
#include <cstdio>

int main() {
  constexpr long kLargest = 10;
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  const long steps = 10'000 * (n > kLargest ? n * n : n * kLargest);
  for (volatile long step = 0; step < steps; step = step + 1) {
  }
  std::printf("%ld\n", n * n);
}
