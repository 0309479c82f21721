// time: n³
// memory: n²
// input: ../inputs/few.yaml
// sizes: auto
// n_max: 800
// note: Merging neighbours: n³/6 steps.
#include <cstdio>
#include <algorithm>
#include <vector>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<long long> pre(n + 1, 0);
    for (int i = 1; i <= n; i++) {
        int x;
        scanf("%d", &x);
        pre[i] = pre[i - 1] + x;
    }
    vector<vector<long long>> dp(n + 2, vector<long long>(n + 2, 0));
    for (int len = 2; len <= n; len++) {
        for (int l = 1; l + len - 1 <= n; l++) {
            int r = l + len - 1;
            long long best = 4e18;
            for (int k = l; k < r; k++) best = min(best, dp[l][k] + dp[k + 1][r]);
            dp[l][r] = best + pre[r] - pre[l - 1];
        }
    }
    printf("%lld\n", n ? dp[1][n] : 0);
    return 0;
}
