#include <iostream>
#include <queue>
#include <vector>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, m;
    cin >> n >> m;
    vector<vector<pair<int, long>>> next(n + 1);
    for (int i = 0, a, b, w; i < m; ++i) cin >> a >> b >> w, next[a].push_back({b, w});
    vector<long> far(n + 1, 1e18);
    priority_queue<pair<long, int>> queue;
    queue.push({0, 1});
    far[1] = 0;
    while (!queue.empty()) {
        auto [way, at] = queue.top();
        queue.pop();
        if (-way > far[at]) continue;
        for (auto [to, w] : next[at])
            if (far[at] + w < far[to]) queue.push({-(far[to] = far[at] + w), to});
    }
    for (int i = 1; i <= n; ++i) cout << far[i] << " \n"[i == n];
}
