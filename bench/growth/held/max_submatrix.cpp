// time: n³
// memory: n²
// input: ../inputs/signed_matrix.yaml
// sizes: 20,50,100,200,300,450,600
// n_max: 600
// note: Kadane for each pair of rows; n is the side.
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<vector<int>> a(n, vector<int>(n));
    for (auto& row : a)
        for (int& x : row) cin >> x;
    long long best = LLONG_MIN;
    for (int top = 0; top < n; top++) {
        vector<long long> col(n, 0);
        for (int bottom = top; bottom < n; bottom++) {
            long long run = 0;
            for (int j = 0; j < n; j++) {
                col[j] += a[bottom][j];
                run = max(run, 0LL) + col[j];
                best = max(best, run);
            }
        }
    }
    cout << best << "\n";
}
