// Sieves primes in a vector<bool>.
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<bool> prime(n + 1, true);
    long long sum = 0;
    for (long long i = 2; i <= n; ++i) {
        if (!prime[i]) continue;
        sum += i;
        for (long long j = i * i; j <= n; j += i) prime[j] = false;
    }
    std::cout << sum << '\n';
}
