// time: n
// memory: n
// input: ../inputs/tree.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<int>> near(n + 1);
    for (int i = 1; i < n; i++) {
        int a, b;
        scanf("%d %d", &a, &b);
        near[a].push_back(b);
        near[b].push_back(a);
    }
    vector<int> depth(n + 1, -1);
    queue<int> next;
    if (n) next.push(1), depth[1] = 0;
    int most = 0;
    while (!next.empty()) {
        int v = next.front();
        next.pop();
        most = max(most, depth[v]);
        for (int w : near[v])
            if (depth[w] < 0) depth[w] = depth[v] + 1, next.push(w);
    }
    printf("%d\n", most);
}
