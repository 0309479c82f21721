// time: n² log n
// memory: n²
// input: ../inputs/array.yaml
// sizes: 50,100,200,400,700,1000
// n_max: 1400
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> a(n);
    for (auto& x : a) cin >> x;
    set<int> d;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) d.insert(abs(a[i] - a[j]));
    cout << d.size() << endl;
}
