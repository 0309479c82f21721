// time: n²
// memory: n
// input: ../inputs/weighted.yaml
// sizes: 100,300,1000,2000,4000,8000
// n_max: 8000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, m;
    scanf("%d %d", &n, &m);
    vector<array<int, 3>> edges(m);
    for (auto& [a, b, w] : edges) scanf("%d %d %d", &a, &b, &w);
    vector<long long> d(n + 1, 1e18);
    d[1] = 0;
    for (int round = 1; round < n; round++)
        for (auto [a, b, w] : edges) {
            d[b] = min(d[b], d[a] + w);
            d[a] = min(d[a], d[b] + w);
        }
    printf("%lld\n", *max_element(d.begin() + 1, d.end()));
}
