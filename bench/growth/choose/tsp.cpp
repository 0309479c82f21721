// time: n²·2ⁿ
// memory: n·2ⁿ
// input: size
// sizes: 2,4,8,10,12,14,16,17,18,19,20
// n_max: 20
// note: n 2ⁿ cells.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    if (n == 0) return 0;
    vector<vector<int>> cost(n, vector<int>(n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) cost[i][j] = (i * 7919 + j * 104729) % 1000 + 1;
    const int INF = 1e9;
    vector<vector<int>> dp(1 << n, vector<int>(n, INF));
    dp[1][0] = 0;
    for (int mask = 1; mask < (1 << n); mask++)
        for (int u = 0; u < n; u++) {
            if (!(mask >> u & 1) || dp[mask][u] == INF) continue;
            for (int v = 0; v < n; v++) {
                if (mask >> v & 1) continue;
                int& next = dp[mask | 1 << v][v];
                next = min(next, dp[mask][u] + cost[u][v]);
            }
        }
    int best = INF;
    for (int u = 0; u < n; u++) best = min(best, dp[(1 << n) - 1][u] + cost[u][0]);
    printf("%d\n", best);
}
