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
    vector<int> a(n);
    for (int& x : a) cin >> x;
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++)
            if (a[j] < a[least]) least = j;
        swap(a[i], a[least]);
    }
    cout << (n ? a[n / 2] : 0) << endl;
}
