// time: n√n
// memory: n
// input: ../inputs/ranges.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    int size = max(1, (int)sqrt(n));
    vector<int> a(n), least(n / size + 1, INT_MAX);
    for (int i = 0; i < n; i++) {
        scanf("%d", &a[i]);
        least[i / size] = min(least[i / size], a[i]);
    }
    long long total = 0;
    while (q--) {
        int l, r, found = INT_MAX;
        scanf("%d %d", &l, &r);
        for (int i = l - 1; i < r;) {
            if (i % size == 0 && i + size <= r) found = min(found, least[i / size]), i += size;
            else found = min(found, a[i++]);
        }
        total += found;
    }
    printf("%lld\n", total);
}
