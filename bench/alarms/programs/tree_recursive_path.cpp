// Finds the depth of a path by deep recursion.
// input: path.yaml
#include <cstdio>
#include <vector>
using namespace std;
vector<vector<int>> next_of;
int depth(int at, int from) {
    int best = 0;
    for (int to : next_of[at])
        if (to != from) best = max(best, depth(to, at) + 1);
    return best;
}
int main() {
    int n;
    scanf("%d", &n);
    next_of.resize(n + 1);
    for (int i = 1, a, b; i < n; ++i)
        if (scanf("%d %d", &a, &b) == 2) next_of[a].push_back(b), next_of[b].push_back(a);
    printf("%d\n", n ? depth(1, 0) : 0);
}
