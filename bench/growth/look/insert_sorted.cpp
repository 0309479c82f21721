// time: n²
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
// note: The copying of the tail is what grows.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> kept;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        kept.insert(lower_bound(kept.begin(), kept.end(), x), x);
    }
    cout << (n ? kept[n / 2] : 0) << endl;
}
