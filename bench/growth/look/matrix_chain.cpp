// time: n³
// memory: n²
// input: ../inputs/array.yaml
// sizes: 50,100,200,300,400,600,800
// n_max: 800
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<long long> a(n), sum(n + 1, 0);
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a[i]);
        sum[i + 1] = sum[i] + a[i];
    }
    vector<vector<long long>> dp(n + 1, vector<long long>(n + 1, 0));
    for (int len = 2; len <= n; len++)
        for (int l = 0; l + len <= n; l++) {
            int r = l + len;
            dp[l][r] = LLONG_MAX;
            for (int m = l + 1; m < r; m++)
                dp[l][r] = min(dp[l][r], dp[l][m] + dp[m][r] + sum[r] - sum[l]);
        }
    printf("%lld\n", dp[0][n]);
}
