// time: n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
// note: 80 MB of it are there, and n elements are touched.
#include <iostream>
using namespace std;
long long a[10000000];
int main() {
    ios::sync_with_stdio(false);
    cin.tie(0);
    int n;
    cin >> n;
    for (int i = 1; i <= n; i++) {
        cin >> a[i];
        a[i] += a[i - 1];
    }
    cout << a[n] << '\n';
}
