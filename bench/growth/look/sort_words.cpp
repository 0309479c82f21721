// time: n log n
// memory: n
// input: ../inputs/words.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<string> w(n);
    for (auto& s : w) cin >> s;
    sort(w.begin(), w.end());
    int distinct = unique(w.begin(), w.end()) - w.begin();
    cout << distinct << "\n";
    if (distinct) cout << w[0] << " " << w[distinct - 1] << "\n";
}
