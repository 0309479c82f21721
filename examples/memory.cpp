// Touches n blocks of 4 KiB, so that peak memory grows by 4 KiB for each step of n.
// Reads n from stdin; at n = 100000 it needs 391 MiB: try --memory-mb 64.
#include <iostream>
#include <vector>

int main() {
    constexpr std::size_t block_bytes = 4096;
    std::size_t n = 0;
    std::cin >> n;
    std::vector<char> blocks(n * block_bytes, 1);
    std::size_t sum = 0;
    for (std::size_t i = 0; i < blocks.size(); i += block_bytes) {
        sum += static_cast<std::size_t>(blocks[i]);
    }
    std::cout << sum << '\n';
}
