// Adds the numbers up to the first zero.
// input: array.yaml
#include <iostream>
int main() {
    int n, x;
    std::cin >> n;
    long long sum = 0;
    while (n-- && std::cin >> x && x) sum += x;
    std::cout << sum << '\n';
}
