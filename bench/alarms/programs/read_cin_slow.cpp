// Reads with cin that is tied and synchronised.
// input: array.yaml
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    unsigned long long sum = 0, x;
    for (int i = 0; i < n; ++i) std::cin >> x, sum ^= x * (i + 1);
    std::cout << sum << '\n';
}
