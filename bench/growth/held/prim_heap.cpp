// time: n log n
// memory: n
// input: ../inputs/weighted.yaml
// sizes: default
// n_max: 100000
// note: Prim with a heap of edges; 4n edges.
#include <bits/stdc++.h>
using namespace std;

struct Edge {
    int to;
    long long weight;
    bool operator<(const Edge& other) const { return weight > other.weight; }
};

int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<Edge>> graph(n + 1);
    for (int i = 0; i < m; i++) {
        int u, v;
        long long w;
        scanf("%d %d %lld", &u, &v, &w);
        graph[u].push_back({v, w});
        graph[v].push_back({u, w});
    }
    vector<char> inTree(n + 1, 0);
    priority_queue<Edge> heap;
    long long cost = 0;
    int taken = 0;
    if (n > 0) heap.push({1, 0});
    while (!heap.empty() && taken < n) {
        Edge e = heap.top();
        heap.pop();
        if (inTree[e.to]) continue;
        inTree[e.to] = 1;
        taken++;
        cost += e.weight;
        for (const Edge& f : graph[e.to])
            if (!inTree[f.to]) heap.push(f);
    }
    if (taken < n)
        printf("IMPOSSIBLE\n");
    else
        printf("%lld\n", cost);
}
