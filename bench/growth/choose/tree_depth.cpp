// time: n
// memory: n
// input: ../inputs/path.yaml
// sizes: default
// n_max: 100000
// note: The recursion is as deep as the tree, which is a path.
#include <bits/stdc++.h>
using namespace std;

vector<vector<int>> tree;
vector<int> below;

int dfs(int u, int parent) {
    int deepest = 0;
    below[u] = 1;
    for (int v : tree[u]) {
        if (v == parent) continue;
        deepest = max(deepest, dfs(v, u) + 1);
        below[u] += below[v];
    }
    return deepest;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    tree.resize(n + 1);
    below.assign(n + 1, 0);
    for (int i = 0; i + 1 < n; i++) {
        int u, v;
        cin >> u >> v;
        tree[u].push_back(v);
        tree[v].push_back(u);
    }
    cout << (n ? dfs(1, 0) : 0) << "\n";
}
