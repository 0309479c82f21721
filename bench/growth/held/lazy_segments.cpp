// time: n log n
// memory: n
// input: ../inputs/range_updates.yaml
// sizes: default
// n_max: 100000
// note: A segment tree with additions to ranges and maxima of ranges; n queries.
#include <cstdio>
#include <algorithm>
using namespace std;

const int MAXN = 100005;
long long best[4 * MAXN], add[4 * MAXN];

void push(int v) {
    if (add[v] == 0) return;
    for (int c = 2 * v; c <= 2 * v + 1; c++) {
        best[c] += add[v];
        add[c] += add[v];
    }
    add[v] = 0;
}

void update(int v, int l, int r, int a, int b, long long x) {
    if (a > r || b < l) return;
    if (a <= l && r <= b) {
        best[v] += x;
        add[v] += x;
        return;
    }
    push(v);
    int mid = (l + r) / 2;
    update(2 * v, l, mid, a, b, x);
    update(2 * v + 1, mid + 1, r, a, b, x);
    best[v] = max(best[2 * v], best[2 * v + 1]);
}

long long query(int v, int l, int r, int a, int b) {
    if (a > r || b < l) return -4e18;
    if (a <= l && r <= b) return best[v];
    push(v);
    int mid = (l + r) / 2;
    return max(query(2 * v, l, mid, a, b), query(2 * v + 1, mid + 1, r, a, b));
}

int main() {
    int n, q;
    if (scanf("%d %d", &n, &q) != 2) return 0;
    while (q--) {
        int type, l, r;
        scanf("%d %d %d", &type, &l, &r);
        if (type == 1) {
            int x;
            scanf("%d", &x);
            update(1, 1, n, l, r, x);
        } else {
            printf("%lld\n", query(1, 1, n, l, r));
        }
    }
    return 0;
}
