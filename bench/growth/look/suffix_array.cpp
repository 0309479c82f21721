// time: n log² n
// memory: n
// input: ../inputs/string.yaml
// sizes: 1000,5000,10000,20000,50000,100000
// n_max: 100000
// note: Sorts anew in every round.
#include <bits/stdc++.h>
using namespace std;
int main() {
    string s;
    cin >> s;
    int n = s.size();
    vector<int> order(n), rank(s.begin(), s.end()), next(n);
    iota(order.begin(), order.end(), 0);
    for (int k = 1; k < n; k *= 2) {
        auto less = [&](int a, int b) {
            if (rank[a] != rank[b]) return rank[a] < rank[b];
            int x = a + k < n ? rank[a + k] : -1, y = b + k < n ? rank[b + k] : -1;
            return x < y;
        };
        sort(order.begin(), order.end(), less);
        for (int i = 1; i < n; i++) next[order[i]] = next[order[i - 1]] + less(order[i - 1], order[i]);
        rank = next;
    }
    cout << (n ? order[n / 2] : 0) << endl;
}
