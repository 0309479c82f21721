// time: n log n
// memory: n
// input: ../inputs/permutation.yaml
// sizes: default
// n_max: 100000
// note: The longest rising subsequence of a random permutation has about 2√n elements, and log √n is log n / 2.
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios::sync_with_stdio(0);
    cin.tie(0);
    int n;
    cin >> n;
    vector<int> a(n), tails;
    for (int& x : a) cin >> x;
    for (int x : a) {
        auto it = lower_bound(tails.begin(), tails.end(), x);
        if (it == tails.end()) tails.push_back(x);
        else *it = x;
    }
    cout << tails.size() << '\n';
}
