// time: n log n
// memory: n
// input: ../inputs/array.yaml
// sizes: 1000,5000,10000,50000,100000,200000
// n_max: 200000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    multiset<int> kept;
    long long gaps = 0;
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        auto at = kept.insert(x);
        if (at != kept.begin()) gaps += x - *prev(at);
    }
    printf("%lld\n", gaps);
}
