// Finds the diameter of a weighted tree by a recursive search. What to see: the peak of memory is
// higher on a path than on a random tree, by the stack of the recursion.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

static std::vector<std::vector<std::pair<int, int>>> edges;
static long long diameter = 0;

static long long depth(int node, int parent) {
    long long deepest = 0;
    for (auto [next, weight] : edges[node]) {
        if (next == parent) continue;
        long long below = depth(next, node) + weight;
        diameter = std::max(diameter, deepest + below);
        deepest = std::max(deepest, below);
    }
    return deepest;
}

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    edges.resize(n + 1);
    for (int i = 1; i < n; ++i) {
        int a, b, weight;
        if (std::scanf("%d %d %d", &a, &b, &weight) != 3) return 1;
        edges[a].push_back({b, weight});
        edges[b].push_back({a, weight});
    }
    if (n > 0) depth(1, 0);
    std::printf("%lld\n", diameter);
}
