// Answers range maxima by an iterative segment tree.
// input: ranges.yaml
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    vector<int> t(2 * n + 2);
    for (int i = 0; i < n; ++i) scanf("%d", &t[n + i]);
    for (int i = n - 1; i > 0; --i) t[i] = max(t[2 * i], t[2 * i + 1]);
    long long sum = 0;
    while (q--) {
        int l, r, best = 0;
        scanf("%d %d", &l, &r);
        for (l += n - 1, r += n; l < r; l /= 2, r /= 2) {
            if (l & 1) best = max(best, t[l++]);
            if (r & 1) best = max(best, t[--r]);
        }
        sum += best;
    }
    printf("%lld\n", sum);
}
