// time: n
// memory: n
// input: ../inputs/directed.yaml
// sizes: default
// n_max: 100000
// note: Kosaraju on 4n edges, with recursion.
#include <bits/stdc++.h>
using namespace std;

const int N = 100005;
vector<int> g[N], rg[N];
vector<int> order;
int comp[N];
bool vis[N];

void dfs1(int v) {
    vis[v] = true;
    for (int u : g[v])
        if (!vis[u]) dfs1(u);
    order.push_back(v);
}

int dfs2(int v, int c) {
    comp[v] = c;
    int size = 1;
    for (int u : rg[v])
        if (!comp[u]) size += dfs2(u, c);
    return size;
}

int main() {
    int n, m;
    scanf("%d%d", &n, &m);
    for (int i = 0; i < m; i++) {
        int a, b;
        scanf("%d%d", &a, &b);
        g[a].push_back(b);
        rg[b].push_back(a);
    }
    for (int i = 1; i <= n; i++)
        if (!vis[i]) dfs1(i);
    reverse(order.begin(), order.end());
    int count = 0, largest = 0;
    for (int v : order) {
        if (comp[v]) continue;
        largest = max(largest, dfs2(v, ++count));
    }
    printf("%d %d\n", count, largest);
    return 0;
}
