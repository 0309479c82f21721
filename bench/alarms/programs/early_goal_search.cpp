// Searches breadth-first from node 1 and stops at node n.
// input: graph.yaml
#include <iostream>
#include <queue>
#include <vector>
int main() {
    int n, m;
    std::cin >> n >> m;
    std::vector<std::vector<int>> next(n + 1);
    for (int i = 0, a, b; i < m; ++i) {
        std::cin >> a >> b;
        next[a].push_back(b);
        next[b].push_back(a);
    }
    std::vector<int> far(n + 1, -1);
    std::queue<int> open;
    if (n) open.push(1), far[1] = 0;
    while (!open.empty() && far[n] < 0) {
        int at = open.front();
        open.pop();
        for (int to : next[at])
            if (far[to] < 0) far[to] = far[at] + 1, open.push(to);
    }
    std::cout << far[n] << '\n';
}
