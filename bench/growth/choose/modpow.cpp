// time: log n
// memory: 1
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: A fixed number of powers with exponent n.
#include <bits/stdc++.h>
using namespace std;
const long long MOD = 1e9 + 7;

long long power(long long b, long long e) {
    long long r = 1;
    b %= MOD;
    while (e > 0) {
        if (e & 1) r = r * b % MOD;
        b = b * b % MOD;
        e >>= 1;
    }
    return r;
}

int main() {
    long long n;
    cin >> n;
    long long sum = 0;
    for (int b = 2; b < 100002; b++) sum = (sum + power(b, n)) % MOD;
    cout << sum << endl;
}
