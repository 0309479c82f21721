// Answers updates and sums by a segment tree of nodes that are made when they are needed.
// input: queries.yaml
#include <bits/stdc++.h>
using namespace std;
struct Node { long long sum = 0; Node *left = 0, *right = 0; };
void add(Node *&at, int low, int high, int place, long long value) {
    if (!at) at = new Node;
    at->sum += value;
    if (low == high) return;
    int middle = (low + high) / 2;
    if (place <= middle) add(at->left, low, middle, place, value);
    else add(at->right, middle + 1, high, place, value);
}
long long sum(Node *at, int low, int high, int from, int to) {
    if (!at || to < low || high < from) return 0;
    if (from <= low && high <= to) return at->sum;
    int middle = (low + high) / 2;
    return sum(at->left, low, middle, from, to) + sum(at->right, middle + 1, high, from, to);
}
int main() {
    ios::sync_with_stdio(false), cin.tie(0);
    int n, q, x;
    cin >> n >> q;
    Node *root = 0;
    for (int i = 1; i <= n; ++i) cin >> x, add(root, 1, n, i, x);
    long long digest = 0;
    while (q--) {
        int kind, a, b;
        cin >> kind >> a >> b;
        if (kind == 1) add(root, 1, n, a, b);
        else digest ^= sum(root, 1, n, a, b);
    }
    cout << digest << '\n';
}
