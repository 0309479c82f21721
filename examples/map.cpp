// Counts n numbers in a std::map: n log n steps, each of them a likely cache miss.
// Reads n from stdin.
#include <cstdint>
#include <iostream>
#include <map>

int main() {
    std::size_t n = 0;
    std::cin >> n;
    std::map<std::uint64_t, int> counts;
    std::uint64_t state = 42;
    for (std::size_t i = 0; i < n; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        ++counts[state >> 33];
    }
    std::cout << counts.size() << '\n';
}
