// time: n log² n
// memory: n log n
// input: ../inputs/rank_queries.yaml
// sizes: default
// n_max: 100000
// note: n queries for the count of small numbers in a range, each with about log n binary searches.
#include <bits/stdc++.h>
using namespace std;

struct MergeSortTree {
    int size;
    vector<vector<int>> node;

    MergeSortTree(const vector<int>& a) {
        size = 1;
        while (size < (int)a.size()) size *= 2;
        node.resize(2 * size);
        for (size_t i = 0; i < a.size(); i++) node[size + i] = {a[i]};
        for (int v = size - 1; v >= 1; v--)
            merge(node[2 * v].begin(), node[2 * v].end(), node[2 * v + 1].begin(),
                  node[2 * v + 1].end(), back_inserter(node[v]));
    }

    int countIn(int v, int x) const {
        return upper_bound(node[v].begin(), node[v].end(), x) - node[v].begin();
    }

    // half-open range
    int count(int l, int r, int x) const {
        int res = 0;
        for (l += size, r += size; l < r; l /= 2, r /= 2) {
            if (l & 1) res += countIn(l++, x);
            if (r & 1) res += countIn(--r, x);
        }
        return res;
    }
};

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, q;
    cin >> n >> q;
    vector<int> a(n);
    for (int& x : a) cin >> x;
    MergeSortTree tree(a);
    while (q--) {
        int l, r, x;
        cin >> l >> r >> x;
        cout << tree.count(l - 1, r, x) << "\n";
    }
}
