// time: n log n
// memory: n
// input: ../inputs/weighted.yaml
// sizes: default
// n_max: 100000
// note: 4n edges.
#include <bits/stdc++.h>
using namespace std;
int parent[1000005];
int find(int x) { return parent[x] == x ? x : parent[x] = find(parent[x]); }
int main() {
    int n, m;
    cin >> n >> m;
    vector<array<int, 3>> edges(m);
    for (auto& [w, u, v] : edges) cin >> u >> v >> w;
    sort(edges.begin(), edges.end());
    for (int i = 1; i <= n; i++) parent[i] = i;
    long long total = 0;
    for (auto& [w, u, v] : edges) {
        int a = find(u), b = find(v);
        if (a != b) {
            parent[a] = b;
            total += w;
        }
    }
    cout << total << endl;
}
