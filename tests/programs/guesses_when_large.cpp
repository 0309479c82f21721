// Sorts n numbers as sort.cpp does, as long as they are few. Otherwise it prints a number that
// differs from run to run.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

int main() {
  unsigned n, state = 1;
  if (std::scanf("%u", &n) != 1) return 2;
  std::vector<unsigned> numbers(n);
  for (auto &number : numbers) number = state = state * 1664525u + 1013904223u;
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  if (n < 10) std::sort(numbers.begin(), numbers.end());
  std::printf("%lld\n", n < 10 ? (n ? numbers[n / 2] : 0LL) : now);
}
