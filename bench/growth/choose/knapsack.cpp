// time: n²
// memory: n
// input: ../inputs/knapsack.yaml
// sizes: default
// n_max: 10000
// note: n things, a bag of n.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, capacity;
    cin >> n >> capacity;
    vector<long long> dp(capacity + 1, 0);
    for (int i = 0; i < n; i++) {
        int w, v;
        cin >> w >> v;
        for (int c = capacity; c >= w; c--) dp[c] = max(dp[c], dp[c - w] + v);
    }
    cout << dp[capacity] << endl;
}
