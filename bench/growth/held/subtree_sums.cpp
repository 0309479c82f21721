// time: n log n
// memory: n
// input: ../inputs/subtree_queries.yaml
// sizes: 1000,5000,10000,50000,100000,200000
// n_max: 200000
// note: An Euler tour and a Fenwick tree; n queries.
#include <bits/stdc++.h>
using namespace std;
#define ll long long

int n, q, timer_ = 0;
vector<vector<int>> adj;
vector<int> tin, tout;
vector<ll> bit, val;

void tour(int v, int p) {
    tin[v] = ++timer_;
    for (int u : adj[v])
        if (u != p) tour(u, v);
    tout[v] = timer_;
}

void add(int i, ll x) {
    for (; i <= n; i += i & -i) bit[i] += x;
}

ll sum(int i) {
    ll s = 0;
    for (; i > 0; i -= i & -i) s += bit[i];
    return s;
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    cin >> n >> q;
    adj.resize(n + 1);
    tin.resize(n + 1);
    tout.resize(n + 1);
    bit.assign(n + 1, 0);
    val.resize(n + 1);
    for (int i = 1; i <= n; i++) cin >> val[i];
    for (int i = 0; i < n - 1; i++) {
        int a, b;
        cin >> a >> b;
        adj[a].push_back(b);
        adj[b].push_back(a);
    }
    if (n > 0) tour(1, 0);
    for (int i = 1; i <= n; i++) add(tin[i], val[i]);
    while (q--) {
        int type, s;
        cin >> type >> s;
        if (type == 1) {
            ll x;
            cin >> x;
            add(tin[s], x - val[s]);
            val[s] = x;
        } else {
            cout << sum(tout[s]) - sum(tin[s] - 1) << '\n';
        }
    }
}
