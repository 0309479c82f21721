// time: n²
// memory: n
// input: size
// sizes: default
// n_max: 10000
// note: The number of search trees with n nodes.
#include <iostream>
#include <vector>

int main() {
    const long long MOD = 1000000007;
    int n;
    std::cin >> n;
    std::vector<long long> trees(n + 1, 0);
    trees[0] = 1;
    for (int nodes = 1; nodes <= n; nodes++) {
        for (int left = 0; left < nodes; left++) {
            trees[nodes] = (trees[nodes] + trees[left] * trees[nodes - 1 - left]) % MOD;
        }
    }
    std::cout << trees[n] << std::endl;
    return 0;
}
