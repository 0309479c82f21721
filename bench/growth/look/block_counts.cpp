// time: n√n
// memory: n√n
// input: ../inputs/small.yaml
// sizes: 1000,5000,10000,20000,50000,100000
// n_max: 100000
// note: For each of √n blocks, how often each value comes before it.
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> a(n);
    for (auto& x : a) cin >> x;
    int b = max(1, (int)sqrt((double)n)), blocks = n / b + 1;
    vector<vector<int>> before(blocks + 1, vector<int>(n + 1, 0));
    for (int k = 0; k < blocks; k++) {
        before[k + 1] = before[k];
        for (int i = k * b; i < min(n, (k + 1) * b); i++) before[k + 1][a[i]]++;
    }
    long long check = 0;
    for (int i = 0; i < n; i++) check += before[i / b][a[n - 1 - i]];
    cout << check << "\n";
}
