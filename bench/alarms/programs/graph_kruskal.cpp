// Finds a minimum spanning tree by sorted edges.
// input: weighted.yaml
#include <bits/stdc++.h>
using namespace std;
int up[100001];
int find(int x) { return up[x] == x ? x : up[x] = find(up[x]); }
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<array<int, 3>> edges(m);
    for (auto &[w, a, b] : edges) scanf("%d %d %d", &a, &b, &w);
    sort(edges.begin(), edges.end());
    iota(up, up + n + 1, 0);
    long long sum = 0;
    for (auto [w, a, b] : edges)
        if (find(a) != find(b)) up[find(a)] = find(b), sum += w;
    printf("%lld\n", sum);
}
