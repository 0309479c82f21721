// Integrates with long doubles.
#include <cmath>
#include <iomanip>
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    long double sum = 0;
    for (int i = 0; i < n; ++i) {
        long double x = (i + 0.5L) / n;
        sum += std::sqrt(1 - x * x) + std::sin(x) * std::exp(-x);
    }
    std::cout << std::setprecision(9) << (n ? 4 * sum / n : 0) << '\n';
}
