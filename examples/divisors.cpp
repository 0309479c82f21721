// Counts the divisors of n by trial division: √n steps. n is a value, and not a length.
// Reads n from stdin.
#include <cstdint>
#include <iostream>

int main() {
    std::uint64_t n = 0;
    std::cin >> n;
    std::uint64_t divisors = 0;
    for (std::uint64_t i = 1; i * i <= n; ++i) {
        if (n % i == 0) {
            divisors += i == n / i ? 1 : 2;
        }
    }
    std::cout << divisors << '\n';
}
