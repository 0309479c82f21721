// Tests primes by Miller and Rabin with bases from rand() after srand(time(0)).
// varies: work
#include <cstdlib>
#include <ctime>
#include <iostream>
typedef unsigned long long u64;
u64 power(u64 base, u64 exponent, u64 modulus) {
    u64 result = 1;
    for (base %= modulus; exponent; exponent /= 2, base = base * base % modulus)
        if (exponent & 1) result = result * base % modulus;
    return result;
}
bool is_prime(u64 n) {
    if (n < 4) return n >= 2;
    if (n % 2 == 0) return false;
    u64 odd = n - 1;
    int twos = 0;
    while (odd % 2 == 0) odd /= 2, ++twos;
    for (int round = 0; round < 12; ++round) {
        u64 x = power(2 + rand() % (n - 3), odd, n);
        bool passes = x == 1 || x == n - 1;
        for (int i = 1; i < twos && !passes; ++i) x = x * x % n, passes = x == n - 1;
        if (!passes) return false;
    }
    return true;
}
int main() {
    srand(time(0));
    u64 n;
    std::cin >> n;
    int found = 0;
    for (u64 i = 0; i < n / 10; ++i) found += is_prime(i);
    std::cout << found << '\n';
}
