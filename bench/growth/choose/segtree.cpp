// time: n log n
// memory: n
// input: ../inputs/queries.yaml
// sizes: default
// n_max: 100000
// note: n numbers, n queries, half of them updates.
#include <bits/stdc++.h>
using namespace std;

int n, q;
vector<long long> tree;

void update(int node, int l, int r, int pos, long long value) {
    if (l == r) {
        tree[node] = value;
        return;
    }
    int m = (l + r) / 2;
    if (pos <= m) update(2 * node, l, m, pos, value);
    else update(2 * node + 1, m + 1, r, pos, value);
    tree[node] = tree[2 * node] + tree[2 * node + 1];
}

long long query(int node, int l, int r, int a, int b) {
    if (b < l || r < a) return 0;
    if (a <= l && r <= b) return tree[node];
    int m = (l + r) / 2;
    return query(2 * node, l, m, a, b) + query(2 * node + 1, m + 1, r, a, b);
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    cin >> n >> q;
    tree.assign(4 * n + 4, 0);
    for (int i = 1; i <= n; i++) {
        long long x;
        cin >> x;
        update(1, 1, n, i, x);
    }
    long long check = 0;
    while (q--) {
        int type;
        cin >> type;
        if (type == 1) {
            int pos;
            long long value;
            cin >> pos >> value;
            update(1, 1, n, pos, value);
        } else {
            int l, r;
            cin >> l >> r;
            check ^= query(1, 1, n, l, r);
        }
    }
    cout << check << "\n";
}
