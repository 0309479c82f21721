// time: 1
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: Ten million steps from a seed, whatever it is.
#include <iostream>
#include <cstdint>
int main() {
    uint64_t n;
    std::cin >> n;
    uint64_t x = n * 2654435761u + 1, sum = 0;
    for (int i = 0; i < 10000000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        sum += x & 255;
    }
    std::cout << sum << '\n';
}
