// time: n log n
// memory: n
// input: ../inputs/intervals.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<pair<int, int>> v(n);
    for (auto& [l, r] : v) cin >> l >> r;
    sort(v.begin(), v.end());
    long long covered = 0, end = -1;
    for (auto [l, r] : v) {
        if (r > end) covered += r - max<long long>(end, l);
        end = max<long long>(end, r);
    }
    cout << covered << '\n';
}
