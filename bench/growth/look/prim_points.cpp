// time: n²
// memory: n
// input: ../inputs/points.yaml
// sizes: 500,1000,2000,5000,10000
// n_max: 10000
#include <cstdio>
#include <vector>
#include <climits>
#include <cstdlib>
using namespace std;
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 0;
    vector<long long> x(n), y(n), d(n, LLONG_MAX);
    vector<bool> done(n, false);
    for (int i = 0; i < n; i++) scanf("%lld %lld", &x[i], &y[i]);
    long long total = 0;
    for (int step = 0; step < n; step++) {
        int u = -1;
        for (int v = 0; v < n; v++)
            if (!done[v] && (u == -1 || d[v] < d[u])) u = v;
        done[u] = true;
        if (step) total += d[u];
        for (int v = 0; v < n; v++) {
            long long w = llabs(x[u] - x[v]) + llabs(y[u] - y[v]);
            if (w < d[v]) d[v] = w;
        }
    }
    printf("%lld\n", total);
}
