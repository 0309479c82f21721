// Sorts points by their angle with atan2l.
// input: points.yaml
#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<long double> angles(n);
    for (auto &angle : angles) {
        long long x, y;
        std::cin >> x >> y;
        angle = std::atan2((long double)y, (long double)x);
    }
    std::sort(angles.begin(), angles.end());
    long double widest = 0;
    for (int i = 1; i < n; ++i) widest = std::max(widest, angles[i] - angles[i - 1]);
    std::cout << (double)widest << '\n';
}
