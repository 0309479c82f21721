// Counts parts of a graph by union and find with path halving.
// input: graph.yaml
#include <cstdio>
#include <numeric>
#include <vector>
int main() {
    int n, m;
    if (scanf("%d %d", &n, &m) != 2) return 1;
    std::vector<int> up(n + 1);
    std::iota(up.begin(), up.end(), 0);
    auto find = [&](int x) {
        while (up[x] != x) x = up[x] = up[up[x]];
        return x;
    };
    int parts = n;
    for (int a, b; m-- > 0 && scanf("%d %d", &a, &b) == 2;) {
        a = find(a), b = find(b);
        if (a != b) up[a] = b, --parts;
    }
    printf("%d\n", parts);
}
