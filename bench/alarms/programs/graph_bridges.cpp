// Finds bridges by an iterative depth-first search.
// input: graph.yaml
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<pair<int, int>>> next(n + 1);
    for (int i = 0, a, b; i < m; ++i)
        if (scanf("%d %d", &a, &b) == 2) next[a].push_back({b, i}), next[b].push_back({a, i});
    vector<int> in(n + 1), low(n + 1), at(n + 1), via(n + 1, -1), stack;
    int clock = 0, bridges = 0;
    for (int root = 1; root <= n; ++root) {
        if (in[root]) continue;
        in[root] = low[root] = ++clock, stack.push_back(root);
        while (!stack.empty()) {
            int x = stack.back();
            if (at[x] < (int)next[x].size()) {
                auto [y, edge] = next[x][at[x]++];
                if (edge == via[x]) continue;
                if (in[y]) low[x] = min(low[x], in[y]);
                else in[y] = low[y] = ++clock, via[y] = edge, stack.push_back(y);
            } else {
                stack.pop_back();
                if (!stack.empty()) {
                    low[stack.back()] = min(low[stack.back()], low[x]);
                    bridges += low[x] > in[stack.back()];
                }
            }
        }
    }
    printf("%d\n", bridges);
}
