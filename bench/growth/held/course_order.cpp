// time: n
// memory: n
// input: ../inputs/dag.yaml
// sizes: default
// n_max: 100000
// note: Kahn's order and the longest path; 4n edges.
#include <cstdio>
#include <queue>
#include <vector>
#include <algorithm>

int main() {
    int n, m;
    if (scanf("%d %d", &n, &m) != 2) return 1;
    std::vector<std::vector<int>> next(n + 1);
    std::vector<int> need(n + 1, 0), semester(n + 1, 1);
    for (int i = 0; i < m; i++) {
        int a, b;
        if (scanf("%d %d", &a, &b) != 2) return 1;
        next[a].push_back(b);
        need[b]++;
    }
    std::queue<int> ready;
    for (int v = 1; v <= n; v++)
        if (need[v] == 0) ready.push(v);
    int done = 0, longest = 0;
    while (!ready.empty()) {
        int v = ready.front();
        ready.pop();
        done++;
        longest = std::max(longest, semester[v]);
        for (int w : next[v]) {
            semester[w] = std::max(semester[w], semester[v] + 1);
            if (--need[w] == 0) ready.push(w);
        }
    }
    if (done < n)
        puts("cycle");
    else
        printf("%d\n", longest);
    return 0;
}
