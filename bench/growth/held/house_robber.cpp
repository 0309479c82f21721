// time: n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    vector<long long> a(n + 1), dp(n + 1, 0);
    for (int i = 1; i <= n; i++) cin >> a[i];
    if (n >= 1) dp[1] = a[1];
    for (int i = 2; i <= n; i++) {
        dp[i] = max(dp[i - 1], dp[i - 2] + a[i]);
    }
    int robbed = 0;
    for (int i = n; i >= 1;) {
        if (dp[i] == dp[i - 1]) {
            i--;
        } else {
            robbed++;
            i -= 2;
        }
    }
    cout << dp[n] << " " << robbed << endl;
    return 0;
}
