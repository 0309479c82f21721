// time: n²
// memory: n²
// input: ../inputs/string.yaml
// sizes: 50,100,500,1000,2000,4000
// n_max: 4000
#include <bits/stdc++.h>
using namespace std;
int main() {
    string s;
    cin >> s;
    int n = s.size();
    vector<vector<int>> best(n + 1, vector<int>(n + 1, 0));
    for (int l = n - 1; l >= 0; l--) {
        best[l][l] = 1;
        for (int r = l + 1; r < n; r++)
            best[l][r] = s[l] == s[r] ? 2 + (l + 1 < r ? best[l + 1][r - 1] : 0) : max(best[l + 1][r], best[l][r - 1]);
    }
    cout << (n ? best[0][n - 1] : 0) << endl;
}
