// Sorts n numbers from a linear congruential generator: time grows as n log n, memory as n. Reads n
// from stdin.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <vector>

int main() {
    std::size_t n = 0;
    std::cin >> n;
    std::vector<std::uint64_t> numbers(n);
    std::uint64_t state = 42;
    for (auto& number : numbers) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        number = state >> 33;
    }
    std::sort(numbers.begin(), numbers.end());
    std::cout << (numbers.empty() ? 0 : numbers[n / 2]) << '\n';
}
