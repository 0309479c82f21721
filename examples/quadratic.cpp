// Counts the inversions of n numbers by looking at every pair: time grows as n squared, memory as n.
// Reads n from stdin; at n = 100000 it runs for about a second, near the default time limit.
#include <cstdint>
#include <iostream>
#include <vector>

int main() {
    std::size_t n = 0;
    std::cin >> n;
    std::vector<std::uint32_t> numbers(n);
    std::uint64_t state = 42;
    for (auto& number : numbers) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        number = static_cast<std::uint32_t>(state >> 33);
    }
    std::uint64_t inversions = 0;
    for (std::size_t left = 0; left < n; ++left) {
        for (std::size_t right = left + 1; right < n; ++right) {
            inversions += numbers[left] > numbers[right];
        }
    }
    std::cout << inversions << '\n';
}
