// Spends its time on one line, long enough for a sampling profiler to see it.
#include <cstdio>

static long spin(long rounds) {
  volatile long sum = 0;
  for (long i = 0; i < rounds; ++i)
    sum += i;  // the hot line
  return sum;
}

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::printf("%ld\n", spin(n * 1000000));
}
