// time: 2ⁿ
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: Only 0 and 1 of the default sizes end.
#include <bits/stdc++.h>
using namespace std;
long long count(int left, long long hash) {
    if (left == 0) return hash % 3 == 0;
    return count(left - 1, hash * 5 + 1) + count(left - 1, hash * 7 + 2);
}
int main() {
    int n;
    cin >> n;
    cout << count(n, 1) << endl;
}
