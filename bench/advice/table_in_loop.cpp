// expects: line 23 | line 25
// fix 23: long long total = 0; vector<vector<int>> dp(length + 1, vector<int>(length + 1));
// fix 25:
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

// Sum of the edit distances of neighbouring words.
int main() {
    int n;
    cin >> n;
    const int length = 5;
    vector<string> words(n + 1, string(length, 'a'));
    unsigned state = 8;
    for (auto& word : words) {
        for (auto& letter : word) {
            state = state * 1664525u + 1013904223u;
            letter = 'a' + (state >> 24) % 3;
        }
    }
    long long total = 0;
    for (int q = 0; q < n; q++) {
        vector<vector<int>> dp(length + 1, vector<int>(length + 1));
        for (int i = 0; i <= length; i++) {
            for (int j = 0; j <= length; j++) {
                if (i == 0 || j == 0) {
                    dp[i][j] = i + j;
                    continue;
                }
                int change = dp[i - 1][j - 1] + (words[q][i - 1] != words[q + 1][j - 1]);
                dp[i][j] = min(change, 1 + min(dp[i - 1][j], dp[i][j - 1]));
            }
        }
        total += dp[length][length];
    }
    cout << total << "\n";
    return 0;
}
