// Relaxes all edges until nothing changes.
// input: weighted.yaml
// sizes: 50,200,800,1500
#include <cstdio>
#include <vector>
struct Edge { int a, b, w; };
int main() {
    int n, m;
    if (scanf("%d %d", &n, &m) != 2) return 1;
    std::vector<Edge> edges(m);
    for (auto &e : edges)
        if (scanf("%d %d %d", &e.a, &e.b, &e.w) != 3) return 1;
    std::vector<long long> far(n + 1, 1ll << 60);
    far[1] = 0;
    for (int round = 1; round < n; ++round)
        for (auto &e : edges) {
            if (far[e.a] + e.w < far[e.b]) far[e.b] = far[e.a] + e.w;
            if (far[e.b] + e.w < far[e.a]) far[e.a] = far[e.b] + e.w;
        }
    printf("%lld\n", far[n]);
}
