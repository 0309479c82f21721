// time: n²
// memory: 1 | n
// input: ../inputs/grid.yaml
// sizes: 50,100,300,700,1500,3000
// n_max: 3000
// note: Keeps one row of the table; n is the side.
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> prev(n + 1, 0), cur(n + 1, 0);
    int side = 0;
    string row;
    for (int i = 0; i < n; i++) {
        cin >> row;
        for (int j = 1; j <= n; j++) {
            if (row[j - 1] == '.')
                cur[j] = 1 + min({prev[j], cur[j - 1], prev[j - 1]});
            else
                cur[j] = 0;
            side = max(side, cur[j]);
        }
        swap(prev, cur);
    }
    cout << side * side << "\n";
}
