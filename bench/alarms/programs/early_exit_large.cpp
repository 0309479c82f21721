// Refuses n above 20000 with an answer, as some tasks ask.
// input: array.yaml
#include <cstdlib>
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    if (n > 20000) {
        std::cout << "too large\n";
        exit(0);
    }
    std::vector<long long> sums(n + 1);
    for (int i = 0, x; i < n; ++i) std::cin >> x, sums[i + 1] = sums[i] + x;
    std::cout << sums[n] << '\n';
}
