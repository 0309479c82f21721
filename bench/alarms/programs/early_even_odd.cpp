// Works only for even n; odd n have a short answer.
#include <iostream>
int main() {
    long long n;
    std::cin >> n;
    if (n % 2) return std::cout << -1 << '\n', 0;
    unsigned long long x = 1;
    for (int i = 0; i < n; ++i) x = x * 6364136223846793005ull + i;
    std::cout << x << '\n';
}
