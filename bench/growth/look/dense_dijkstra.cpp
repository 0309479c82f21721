// time: n²
// memory: n²
// input: ../inputs/weighted.yaml
// sizes: 100,300,600,1000,2000,4000
// n_max: 4000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<vector<int>> w(n + 1, vector<int>(n + 1, INT_MAX));
    while (m--) {
        int a, b, c;
        scanf("%d %d %d", &a, &b, &c);
        w[a][b] = w[b][a] = c;
    }
    vector<long long> d(n + 1, 1e18);
    vector<bool> done(n + 1);
    d[1] = 0;
    for (int round = 0; round < n; round++) {
        int at = 0;
        for (int v = 1; v <= n; v++)
            if (!done[v] && (!at || d[v] < d[at])) at = v;
        done[at] = true;
        for (int v = 1; v <= n; v++)
            if (w[at][v] < INT_MAX) d[v] = min(d[v], d[at] + w[at][v]);
    }
    printf("%lld\n", *max_element(d.begin() + 1, d.end()));
}
