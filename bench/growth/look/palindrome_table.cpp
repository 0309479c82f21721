// time: n²
// memory: n²
// input: ../inputs/string.yaml
// sizes: 250,500,1000,2000,3000,5000,7000
// n_max: 7000
#include <bits/stdc++.h>
using namespace std;
int main() {
    string s;
    cin >> s;
    int n = s.size(), best = 0;
    vector<vector<char>> is(n, vector<char>(n, 0));
    for (int i = n - 1; i >= 0; i--)
        for (int j = i; j < n; j++) {
            is[i][j] = s[i] == s[j] && (j - i < 2 || is[i + 1][j - 1]);
            if (is[i][j]) best = max(best, j - i + 1);
        }
    cout << best << endl;
}
