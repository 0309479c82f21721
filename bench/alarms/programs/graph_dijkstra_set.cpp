// Finds shortest paths by a set of pairs.
// input: weighted.yaml
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, m;
    cin >> n >> m;
    vector<vector<pair<int, int>>> next(n + 1);
    for (int i = 0, a, b, w; i < m; ++i) {
        cin >> a >> b >> w;
        next[a].push_back({b, w}), next[b].push_back({a, w});
    }
    vector<long long> far(n + 1, LLONG_MAX);
    set<pair<long long, int>> open;
    if (n) far[1] = 0, open.insert({0, 1});
    while (!open.empty()) {
        int at = open.begin()->second;
        open.erase(open.begin());
        for (auto [to, w] : next[at])
            if (far[at] + w < far[to]) {
                open.erase({far[to], to});
                far[to] = far[at] + w;
                open.insert({far[to], to});
            }
    }
    cout << (n ? *max_element(far.begin() + 1, far.end()) : 0) << '\n';
}
