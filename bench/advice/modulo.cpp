// expects: line 16
// fix 16: ways[sum] += ways[sum - coin]; if (ways[sum] >= MOD) ways[sum] -= MOD;
#include <iostream>
#include <vector>

const int MOD = 1000000007;

int main() {
    int n;
    std::cin >> n;
    const int coins[] = {1, 2, 5, 10, 20, 50, 100, 200};
    std::vector<int> ways(n + 1);
    ways[0] = 1;
    for (int coin : coins) {
        for (int sum = coin; sum <= n; ++sum) {
            ways[sum] = (ways[sum] + ways[sum - coin]) % MOD;
        }
    }
    std::cout << ways[n] << '\n';
}
