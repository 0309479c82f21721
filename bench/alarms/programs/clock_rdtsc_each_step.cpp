// Reads the cycle counter in every step and keeps the least difference, which it does not print.
#include <algorithm>
#include <iostream>
#include <x86intrin.h>
int main() {
    int n;
    std::cin >> n;
    unsigned long long least = ~0ull, sum = 0, before = __rdtsc();
    for (int i = 0; i < n; ++i) {
        sum += i * i;
        unsigned long long now = __rdtsc();
        least = std::min(least, now - before);
        before = now;
    }
    volatile unsigned long long keep = least;
    (void)keep;
    std::cout << sum << '\n';
}
