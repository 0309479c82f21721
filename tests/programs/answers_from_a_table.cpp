// Looks up how many primes are below 100,000 n.
#include <cstdio>

int main() {
  static const long primes[] = {0,     9592,  17984, 25997, 33860, 41538,
                                49098, 56543, 63951, 71274, 78498};
  long n;
  if (std::scanf("%ld", &n) != 1 || n < 0 || n > 10) return 2;
  std::printf("%ld\n", primes[n]);
}
