// Multiplies modulo a prime of 61 bits with __int128.
#include <iostream>
int main() {
    const unsigned long long p = (1ull << 61) - 1;
    unsigned long long n, x = 3;
    std::cin >> n;
    for (unsigned long long i = 0; i < n; ++i) x = (unsigned __int128)x * (x + i) % p;
    std::cout << x << '\n';
}
