// time: φⁿ
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: Only 0 and 1 of the default sizes end.
#include <bits/stdc++.h>
using namespace std;
int steps(int n, int last) {
    if (n <= 0) return n == 0 ? last : 0;
    return steps(n - 1, 1) + steps(n - 2, 2);
}
int main() {
    int n;
    cin >> n;
    cout << steps(n, 0) << endl;
}
