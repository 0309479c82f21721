// Sorts n numbers that it generates.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  unsigned n, state = 1;
  if (std::scanf("%u", &n) != 1) return 2;
  std::vector<unsigned> numbers(n);
  for (auto &number : numbers) number = state = state * 1664525u + 1013904223u;
  std::sort(numbers.begin(), numbers.end());
  std::printf("%u\n", n ? numbers[n / 2] : 0);
}
