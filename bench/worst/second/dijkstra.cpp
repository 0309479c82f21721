#include <cstdio>
#include <queue>
#include <vector>
using namespace std;
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<pair<int, long>>> next(n + 1);
    for (int i = 0; i < m; ++i) {
        int a, b;
        long w;
        scanf("%d %d %ld", &a, &b, &w);
        next[a].push_back({b, w});
    }
    vector<long> far(n + 1, 1e18);
    priority_queue<pair<long, int>> queue;
    far[1] = 0;
    queue.push({0, 1});
    while (!queue.empty()) {
        int at = queue.top().second;
        queue.pop();
        for (auto [to, w] : next[at])
            if (far[at] + w < far[to]) {
                far[to] = far[at] + w;
                queue.push({-far[to], to});
            }
    }
    printf("%ld\n", far[n]);
}
