// Lets the compiler count the primes below 20,000.
#include <cstdio>

constexpr long primes_below(int end) {
  long primes = 0;
  for (int number = 2; number < end; ++number) {
    bool is_prime = true;
    for (int by = 2; by * by <= number && is_prime; ++by) is_prime = number % by != 0;
    primes += is_prime;
  }
  return primes;
}

constexpr long kAnswer = primes_below(20'000);
static_assert(kAnswer == 2262);

int main() { std::printf("%ld\n", kAnswer); }
