// Reads n, makes n numbers and sorts them: n log n in time, n in memory.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

int main() {
  std::size_t n;
  std::cin >> n;
  std::vector<std::uint32_t> numbers(n);
  std::uint32_t state = 1;
  for (auto &number : numbers) number = state = state * 1664525u + 1013904223u;
  std::sort(numbers.begin(), numbers.end());
  std::cout << (n == 0 ? 0 : numbers[n / 2]) << "\n";
}
