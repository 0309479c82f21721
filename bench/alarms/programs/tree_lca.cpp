// Finds the depths of a tree by an explicit stack, and ancestors by doubling.
// input: tree.yaml
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<int>> next(n + 1);
    for (int i = 1, a, b; i < n; ++i)
        if (scanf("%d %d", &a, &b) == 2) next[a].push_back(b), next[b].push_back(a);
    vector<vector<int>> up(17, vector<int>(n + 1));
    vector<int> depth(n + 1), stack;
    if (n) stack.push_back(1);
    while (!stack.empty()) {
        int at = stack.back();
        stack.pop_back();
        for (int to : next[at])
            if (to != up[0][at]) up[0][to] = at, depth[to] = depth[at] + 1, stack.push_back(to);
    }
    for (int k = 1; k < 17; ++k)
        for (int i = 1; i <= n; ++i) up[k][i] = up[k - 1][up[k - 1][i]];
    long long sum = 0;
    for (int i = 1; i <= n; ++i) {
        int a = i, b = n + 1 - i;
        if (depth[a] < depth[b]) swap(a, b);
        for (int k = 16; k >= 0; --k)
            if (depth[a] - (1 << k) >= depth[b]) a = up[k][a];
        for (int k = 16; k >= 0; --k)
            if (up[k][a] != up[k][b]) a = up[k][a], b = up[k][b];
        sum += a == b ? a : up[0][a];
    }
    printf("%lld\n", sum);
}
