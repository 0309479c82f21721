// Finds the shortest tour of n towns by subsets.
// input: matrix.yaml
// sizes: 8,12,14,16
#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<std::vector<int>> d(n, std::vector<int>(n));
    for (auto &row : d)
        for (int &x : row)
            if (scanf("%d", &x) != 1) return 1;
    std::vector<std::vector<int>> best(1 << n, std::vector<int>(n, 1 << 30));
    best[1][0] = 0;
    for (int set = 1; set < 1 << n; ++set)
        for (int at = 0; at < n; ++at)
            if (best[set][at] < 1 << 30)
                for (int to = 0; to < n; ++to)
                    if (!(set >> to & 1))
                        best[set | 1 << to][to] =
                            std::min(best[set | 1 << to][to], best[set][at] + d[at][to]);
    printf("%d\n", *std::min_element(best.back().begin(), best.back().end()));
}
