// Sorts suffixes by doubling.
// input: string.yaml
#include <bits/stdc++.h>
using namespace std;
int main() {
    string s;
    cin >> s;
    int n = s.size();
    vector<int> order(n), rank(n), fresh(n);
    iota(order.begin(), order.end(), 0);
    for (int i = 0; i < n; ++i) rank[i] = s[i];
    for (int k = 1; k < n; k *= 2) {
        auto key = [&](int i) { return make_pair(rank[i], i + k < n ? rank[i + k] : -1); };
        sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
        fresh[order[0]] = 0;
        for (int i = 1; i < n; ++i)
            fresh[order[i]] = fresh[order[i - 1]] + (key(order[i - 1]) < key(order[i]));
        rank = fresh;
        if (rank[order[n - 1]] == n - 1) break;
    }
    cout << (n ? order[n / 2] : 0) << '\n';
}
