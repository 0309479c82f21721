// Orders an acyclic graph by in-degrees and finds the longest path.
// input: dag.yaml
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n, m;
    std::cin >> n >> m;
    std::vector<std::vector<int>> next(n + 1);
    std::vector<int> in(n + 1), best(n + 1), order;
    for (int i = 0, a, b; i < m; ++i) std::cin >> a >> b, next[a].push_back(b), ++in[b];
    for (int i = 1; i <= n; ++i)
        if (!in[i]) order.push_back(i);
    for (size_t i = 0; i < order.size(); ++i)
        for (int to : next[order[i]]) {
            best[to] = std::max(best[to], best[order[i]] + 1);
            if (--in[to] == 0) order.push_back(to);
        }
    std::cout << order.size() << ' ' << *std::max_element(best.begin(), best.end()) << '\n';
}
