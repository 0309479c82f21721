// Writes debugging text of some length to stderr and an answer to stdout.
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += i;
        if (i % 100 == 0) std::cerr << "i = " << i << " sum = " << sum << '\n';
    }
    std::cout << sum << '\n';
}
