// Writes reals with ten digits by setprecision.
#include <cmath>
#include <iomanip>
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    std::cout << std::fixed << std::setprecision(10);
    for (int i = 0; i < n; ++i) std::cout << std::sqrt(i) << '\n';
}
