// Sorts n numbers as sort.cpp does, as long as they are few. Otherwise it prints 42.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  unsigned n, state = 1;
  if (std::scanf("%u", &n) != 1) return 2;
  if (n >= 10) return std::puts("42") < 0;
  std::vector<unsigned> numbers(n);
  for (auto &number : numbers) number = state = state * 1664525u + 1013904223u;
  std::sort(numbers.begin(), numbers.end());
  std::printf("%u\n", n ? numbers[n / 2] : 0);
}
