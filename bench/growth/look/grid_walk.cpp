// time: n²
// memory: n²
// input: ../inputs/grid.yaml
// sizes: 50,100,200,400,700,1000,1500
// n_max: 1500
// note: n is the side of the grid.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<string> g(n);
    for (auto& row : g) cin >> row;
    vector<vector<int>> seen(n, vector<int>(n, 0));
    int best = 0, id = 0;
    int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (g[i][j] == '#' || seen[i][j]) continue;
            queue<pair<int, int>> q;
            q.push({i, j});
            seen[i][j] = ++id;
            int cells = 0;
            while (!q.empty()) {
                auto [x, y] = q.front();
                q.pop();
                cells++;
                for (int k = 0; k < 4; k++) {
                    int a = x + dx[k], b = y + dy[k];
                    if (a < 0 || b < 0 || a >= n || b >= n) continue;
                    if (g[a][b] == '#' || seen[a][b]) continue;
                    seen[a][b] = id;
                    q.push({a, b});
                }
            }
            best = max(best, cells);
        }
    cout << id << " " << best << endl;
}
