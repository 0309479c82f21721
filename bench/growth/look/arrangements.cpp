// time: n!
// memory: 1
// input: ../inputs/few.yaml
// sizes: 1,2,3,4,5,6,7,8,9,10,11
// n_max: 11
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n), order(n);
    for (int& x : a) scanf("%d", &x);
    iota(order.begin(), order.end(), 0);
    long long best = LLONG_MAX;
    do {
        long long cost = 0;
        for (int i = 0; i + 1 < n; i++) cost += abs(a[order[i]] - a[order[i + 1]]);
        best = min(best, cost);
    } while (next_permutation(order.begin(), order.end()));
    printf("%lld\n", best);
}
