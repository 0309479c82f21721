// time: n^1.58
// memory: 1
// input: size
// sizes: 1000,4000,16000,64000,250000,1000000
// n_max: 1000000
// note: T(n) = 3 T(n / 2) + 1.
#include <bits/stdc++.h>
using namespace std;
long long split(long long n, long long seed) {
    if (n <= 1) return seed & 3;
    long long h = n / 2;
    return split(h, seed * 3 + 1) + split(n - h, seed * 5 + 2) - split(h, seed * 7 + 3);
}
int main() {
    long long n;
    cin >> n;
    cout << split(n, 1) << endl;
}
