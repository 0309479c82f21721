// time: n²
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> a(n), best(n, 1);
    for (int& x : a) cin >> x;
    int most = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            if (a[j] < a[i] && best[j] + 1 > best[i]) best[i] = best[j] + 1;
        most = max(most, best[i]);
    }
    cout << most << endl;
}
