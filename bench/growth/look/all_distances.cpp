// time: n²
// memory: n
// input: ../inputs/graph.yaml
// sizes: 100,200,400,800,1500,2500
// n_max: 2500
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<int>> near(n + 1);
    while (m--) {
        int a, b;
        scanf("%d %d", &a, &b);
        near[a].push_back(b);
        near[b].push_back(a);
    }
    long long total = 0;
    for (int s = 1; s <= n; s++) {
        vector<int> d(n + 1, -1), order = {s};
        d[s] = 0;
        for (size_t i = 0; i < order.size(); i++)
            for (int w : near[order[i]])
                if (d[w] < 0) d[w] = d[order[i]] + 1, order.push_back(w);
        for (int v : order) total += d[v];
    }
    printf("%lld\n", total);
}
