// time: n
// memory: 1
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    int most = 0;
    for (int i = 0; i < n; i++) {
        int x;
        cin >> x;
        most = max(most, x);
    }
    cout << most << endl;
}
