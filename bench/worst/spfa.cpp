#include <cstdio>
#include <deque>
#include <vector>
using namespace std;
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<pair<int, long>>> next(n + 1);
    for (int i = 0, a, b, w; i < m; ++i) scanf("%d %d %d", &a, &b, &w), next[a].push_back({b, w});
    vector<long> far(n + 1, 1e18);
    vector<char> waits(n + 1);
    deque<int> queue{1};
    far[1] = 0;
    while (!queue.empty()) {
        int at = queue.front();
        queue.pop_front();
        waits[at] = 0;
        for (auto [to, w] : next[at])
            if (far[at] + w < far[to]) {
                far[to] = far[at] + w;
                if (!waits[to]) waits[to] = 1, queue.push_back(to);
            }
    }
    printf("%ld\n", far[n]);
}
