// time: n
// memory: n
// input: ../inputs/graph.yaml
// sizes: default
// n_max: 100000
// note: Union by size with path compression: n α(n).
#include <cstdio>
#include <numeric>
#include <vector>
using namespace std;

vector<int> parent, weight;

int find(int x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    parent.resize(n + 1);
    weight.assign(n + 1, 1);
    iota(parent.begin(), parent.end(), 0);
    int parts = n;
    for (int i = 0; i < m; i++) {
        int u, v;
        scanf("%d %d", &u, &v);
        u = find(u), v = find(v);
        if (u == v) continue;
        if (weight[u] < weight[v]) swap(u, v);
        parent[v] = u;
        weight[u] += weight[v];
        parts--;
    }
    printf("%d\n", parts);
}
