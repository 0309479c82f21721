// time: n
// memory: n
// input: ../inputs/graph.yaml
// sizes: default
// n_max: 100000
// note: 4n edges.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<int>> adj(n + 1);
    for (int i = 0; i < m; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        adj[u].push_back(v);
        adj[v].push_back(u);
    }
    vector<int> dist(n + 1, -1);
    queue<int> q;
    if (n > 0) {
        dist[1] = 0;
        q.push(1);
    }
    int far = 0;
    while (!q.empty()) {
        int u = q.front();
        q.pop();
        far = max(far, dist[u]);
        for (int v : adj[u]) {
            if (dist[v] == -1) {
                dist[v] = dist[u] + 1;
                q.push(v);
            }
        }
    }
    printf("%d\n", far);
}
