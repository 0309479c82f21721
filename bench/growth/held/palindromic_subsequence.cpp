// time: n²
// memory: n²
// input: ../inputs/string.yaml
// sizes: 100,250,500,1000,2000,3000
// n_max: 3000
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main() {
    string s;
    cin >> s;
    int n = s.length();
    vector<vector<int>> dp(n, vector<int>(n, 0));
    for (int i = n - 1; i >= 0; i--) {
        dp[i][i] = 1;
        for (int j = i + 1; j < n; j++) {
            if (s[i] == s[j])
                dp[i][j] = (j - i > 1 ? dp[i + 1][j - 1] : 0) + 2;
            else
                dp[i][j] = max(dp[i + 1][j], dp[i][j - 1]);
        }
    }
    cout << (n ? dp[0][n - 1] : 0) << endl;
    return 0;
}
