// Spends nearly all of its time on one line, which --debug names as the hotspot.
// Reads n from stdin; at n = 100000 it runs for about half a second.
#include <cstdint>
#include <iostream>

int main() {
    constexpr int rounds_per_n = 5000;
    std::uint64_t n = 0;
    std::cin >> n;
    std::uint64_t state = 42;
    for (std::uint64_t i = 0; i < n; ++i) {
        for (int round = 0; round < rounds_per_n; ++round) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        }
    }
    std::cout << state << '\n';
}
