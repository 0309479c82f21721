// time: n√n
// memory: n
// input: ../inputs/queries.yaml
// sizes: default
// n_max: 100000
// note: n queries over √n blocks of √n elements.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    int b = max(1, (int)sqrt((double)n));
    vector<long long> a(n), block(n / b + 1, 0);
    for (int i = 0; i < n; i++) {
        scanf("%lld", &a[i]);
        block[i / b] = max(block[i / b], a[i]);
    }
    long long check = 0;
    while (q--) {
        int type, x, y;
        scanf("%d %d %d", &type, &x, &y);
        if (type == 1) {
            a[x - 1] = y;
            int k = (x - 1) / b;
            block[k] = 0;
            for (int i = k * b; i < min(n, (k + 1) * b); i++) block[k] = max(block[k], a[i]);
        } else {
            long long best = 0;
            for (int i = x - 1; i < y;) {
                if (i % b == 0 && i + b <= y) {
                    best = max(best, block[i / b]);
                    i += b;
                } else {
                    best = max(best, a[i]);
                    i++;
                }
            }
            check += best;
        }
    }
    printf("%lld\n", check);
}
