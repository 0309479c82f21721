// time: n
// memory: n
// input: ../inputs/bipartite.yaml
// sizes: default
// n_max: 100000
// note: 4n edges of a bipartite graph.
#include <bits/stdc++.h>
using namespace std;

class Graph {
    vector<vector<int>> adj;
    vector<int> color;

public:
    explicit Graph(int n) : adj(n), color(n, -1) {}

    void addEdge(int u, int v) {
        adj[u].push_back(v);
        adj[v].push_back(u);
    }

    bool paint(int start) {
        queue<int> q;
        q.push(start);
        color[start] = 0;
        while (!q.empty()) {
            int u = q.front();
            q.pop();
            for (int v : adj[u]) {
                if (color[v] == -1) {
                    color[v] = 1 - color[u];
                    q.push(v);
                } else if (color[v] == color[u]) {
                    return false;
                }
            }
        }
        return true;
    }

    bool isBipartite() {
        for (size_t i = 0; i < adj.size(); i++)
            if (color[i] == -1 && !paint(i)) return false;
        return true;
    }

    const vector<int>& colors() const { return color; }
};

int main() {
    int n, m;
    cin >> n >> m;
    Graph g(n);
    for (int i = 0; i < m; i++) {
        int u, v;
        cin >> u >> v;
        g.addEdge(u - 1, v - 1);
    }
    if (!g.isBipartite()) {
        cout << "IMPOSSIBLE" << endl;
        return 0;
    }
    for (int c : g.colors()) cout << c + 1 << " ";
    cout << endl;
}
