#include <cstdio>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<int>> next(n + 1);
    for (int i = 1, a, b; i < n; ++i) {
        scanf("%d %d", &a, &b);
        next[a].push_back(b);
        next[b].push_back(a);
    }
    vector<int> parent(n + 1), depth(n + 1), order{1};
    for (int i = 0; i < (int)order.size(); ++i) {
        int at = order[i];
        for (int to : next[at])
            if (to != parent[at]) {
                parent[to] = at;
                depth[to] = depth[at] + 1;
                order.push_back(to);
            }
    }
    long sum = 0;
    for (int i = 0, a, b; i < n; ++i) {
        scanf("%d %d", &a, &b);
        while (a != b) {
            if (depth[a] < depth[b]) b = parent[b];
            else a = parent[a];
        }
        sum += a;
    }
    printf("%ld\n", sum);
}
