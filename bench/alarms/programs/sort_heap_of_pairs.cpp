// Sorts pairs by a priority queue.
// input: array.yaml
#include <iostream>
#include <queue>
int main() {
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n;
    std::priority_queue<std::pair<int, int>> open;
    for (int i = 0, x; i < n; ++i) std::cin >> x, open.push({x, i});
    long long digest = 0;
    for (; !open.empty(); open.pop()) digest = (digest * 3 + open.top().second) % 1000000007;
    std::cout << digest << '\n';
}
