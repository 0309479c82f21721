// time: n·2ⁿ
// memory: 2ⁿ
// input: ../inputs/binary_matrix.yaml
// sizes: 1,4,8,10,12,14,16,18,19,20,21
// n_max: 21
// note: Perfect matchings of n men and n women, by a table over all sets.
#include <bits/stdc++.h>
using namespace std;
const int MOD = 1000000007;

int main() {
    int n;
    cin >> n;
    vector<vector<int>> ok(n, vector<int>(n));
    for (auto& row : ok)
        for (auto& x : row) cin >> x;
    vector<int> dp(1 << n, 0);
    dp[0] = 1;
    for (int mask = 1; mask < (1 << n); mask++) {
        int man = __builtin_popcount(mask) - 1;
        long long ways = 0;
        for (int w = 0; w < n; w++) {
            if ((mask >> w & 1) && ok[man][w]) ways += dp[mask ^ (1 << w)];
        }
        dp[mask] = ways % MOD;
    }
    cout << dp[(1 << n) - 1] << endl;
}
