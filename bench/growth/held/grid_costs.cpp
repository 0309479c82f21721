// time: n² log n
// memory: n²
// input: ../inputs/matrix.yaml
// sizes: 25,50,100,200,400,700,1000
// n_max: 1000
// note: Dijkstra from corner to corner; n is the side.
#include <bits/stdc++.h>
using namespace std;

struct State {
    long long cost;
    int r, c;
    bool operator>(const State& o) const { return cost > o.cost; }
};

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<vector<int>> a(n, vector<int>(n));
    for (auto& row : a)
        for (auto& x : row) cin >> x;
    vector<vector<long long>> dist(n, vector<long long>(n, LLONG_MAX));
    priority_queue<State, vector<State>, greater<State>> pq;
    dist[0][0] = a[0][0];
    pq.push({dist[0][0], 0, 0});
    const int dr[] = {0, 1, 0, -1}, dc[] = {1, 0, -1, 0};
    while (!pq.empty()) {
        State s = pq.top();
        pq.pop();
        if (s.cost > dist[s.r][s.c]) continue;
        for (int k = 0; k < 4; k++) {
            int r = s.r + dr[k], c = s.c + dc[k];
            if (r < 0 || c < 0 || r >= n || c >= n) continue;
            long long cost = s.cost + a[r][c];
            if (cost < dist[r][c]) {
                dist[r][c] = cost;
                pq.push({cost, r, c});
            }
        }
    }
    cout << dist[n - 1][n - 1] << "\n";
}
