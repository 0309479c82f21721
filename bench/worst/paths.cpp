#include <cstdio>
#include <vector>
using namespace std;

vector<vector<int>> following;
long count(int node) {
    if (following[node].empty()) return 1;
    long paths = 0;
    for (int to : following[node]) paths += count(to);
    return paths;
}
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    following.resize(n + 1);
    for (int i = 0, a, b; i < m; ++i) scanf("%d %d", &a, &b), following[a].push_back(b);
    long paths = 0;
    for (int node = 1; node <= n; ++node) paths += count(node);
    printf("%ld\n", paths);
}
