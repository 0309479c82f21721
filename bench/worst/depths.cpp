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
    vector<int> parent(n + 1), order{1};
    for (int i = 0; i < (int)order.size(); ++i)
        for (int to : next[order[i]])
            if (to != parent[order[i]]) parent[to] = order[i], order.push_back(to);
    long sum = 0;
    for (int i = 1; i <= n; ++i)
        for (int at = i; at; at = parent[at]) ++sum;
    printf("%ld\n", sum);
}
