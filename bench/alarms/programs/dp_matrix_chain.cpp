// Finds the best order of a matrix product in cubic time.
// input: small.yaml
// sizes: 20,60,120,240
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<long long> sides(n);
    for (auto &x : sides) std::cin >> x;
    std::vector<std::vector<long long>> best(n, std::vector<long long>(n));
    for (int length = 2; length < n; ++length)
        for (int i = 0; i + length < n; ++i) {
            best[i][i + length] = 1ll << 60;
            for (int k = i + 1; k < i + length; ++k)
                best[i][i + length] =
                    std::min(best[i][i + length], best[i][k] + best[k][i + length] +
                                                      sides[i] * sides[k] * sides[i + length]);
        }
    std::cout << best[0][n - 1] << '\n';
}
