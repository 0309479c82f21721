// time: n
// memory: 1
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
// note: Reading is all there is.
#include <iostream>
using namespace std;

int main() {
    int n;
    cin >> n;
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        long long x;
        cin >> x;
        sum += x;
    }
    cout << sum << endl;
    return 0;
}
