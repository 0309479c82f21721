// time: n²
// memory: n²
// input: ../inputs/matrix.yaml
// sizes: 50,100,200,400,700,1000
// n_max: 1000
// note: n is the side: the input has n² numbers.
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<vector<int>> a(n, vector<int>(n));
    for (auto& row : a)
        for (auto& x : row) cin >> x;
    long long best = LLONG_MIN;
    for (int j = 0; j < n; j++) {
        long long sum = 0;
        for (int i = 0; i < n; i++) sum += a[i][j];
        best = max(best, sum);
    }
    cout << best << "\n";
}
