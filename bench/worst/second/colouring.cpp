#include <cstdio>
#include <vector>
using namespace std;
int n, m;
vector<vector<int>> next_to;
vector<int> colour;
bool paint(int node) {
    if (node > n) return true;
    for (int c = 1; c <= 3; ++c) {
        bool fits = true;
        for (int other : next_to[node]) fits = fits && colour[other] != c;
        if (!fits) continue;
        colour[node] = c;
        if (paint(node + 1)) return true;
        colour[node] = 0;
    }
    return false;
}
int main() {
    scanf("%d %d", &n, &m);
    next_to.resize(n + 1);
    colour.resize(n + 1);
    for (int i = 0; i < m; ++i) {
        int a, b;
        scanf("%d %d", &a, &b);
        next_to[a].push_back(b);
        next_to[b].push_back(a);
    }
    puts(paint(1) ? "yes" : "no");
}
