#include <cstdio>
#include <vector>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> parent(n + 1);
    for (int i = 1; i <= n; ++i) parent[i] = i;
    for (int i = 0, a, b; i < n; ++i) {
        scanf("%d %d", &a, &b);
        while (parent[a] != a) a = parent[a];
        while (parent[b] != b) b = parent[b];
        parent[a] = b;
    }
    printf("%d\n", parent[1]);
}
