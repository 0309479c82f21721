// Has the pragmas of contestants.
// input: array.yaml
#pragma GCC optimize("O3,unroll-loops")
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios_base::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> a(n);
    for (auto &x : a) cin >> x;
    unsigned digest = 0;
    for (int round = 0; round < 50; ++round)
        for (int x : a) digest = digest * 3 + (x ^ round);
    cout << digest << '\n';
}
