// time: n
// memory: n
// input: ../inputs/few.yaml
// sizes: default
// n_max: 100000
// note: Small values, and every number is written.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> a(n), count(1001, 0), sorted;
    for (int i = 0; i < n; i++) {
        cin >> a[i];
        count[a[i]]++;
    }
    for (int v = 0; v <= 1000; v++)
        while (count[v]-- > 0) sorted.push_back(v);
    for (int x : sorted) cout << x << " ";
    cout << "\n";
}
