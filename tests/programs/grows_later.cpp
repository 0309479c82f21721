// Compares all pairs of n numbers, but only above the largest size of the test.
#include <cstdio>

int main() {
  long n, sum = 0;
  if (std::scanf("%ld", &n) != 1) return 2;
  const long pairs = n > 10 ? 100'000'000 * n * n : n;
  for (volatile long pair = 0; pair < pairs; pair = pair + 1) ++sum;
  std::printf("%ld\n", n * (n - 1) / 2);
  return sum != pairs;
}
