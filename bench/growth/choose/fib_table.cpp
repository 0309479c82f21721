// time: n
// memory: n
// input: size
// sizes: 10000,100000,500000,1000000,2000000,5000000
// n_max: 5000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    const int MOD = 1000000007;
    int n;
    cin >> n;
    vector<long long> dp(n + 2);
    dp[0] = 0;
    dp[1] = 1;
    for (int i = 2; i <= n; i++) dp[i] = (dp[i - 1] + dp[i - 2] * 3) % MOD;
    cout << dp[n] << endl;
}
