// time: log n
// memory: 1 | log n
// input: size
// sizes: 100,1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: A fixed count of Fibonacci numbers about the n-th, by recursion.
#include <bits/stdc++.h>
using namespace std;
const long long MOD = 1000000007;

pair<long long, long long> fib(long long n) {
    if (n == 0) return {0, 1};
    auto [a, b] = fib(n / 2);
    long long c = a * ((2 * b - a + MOD) % MOD) % MOD;
    long long d = (a * a + b * b) % MOD;
    if (n % 2 == 0) return {c, d};
    return {d, (c + d) % MOD};
}

int main() {
    long long n, sum = 0;
    cin >> n;
    for (int i = 0; i < 50000; i++) sum += fib(n + i % 8).first;
    cout << sum % MOD << endl;
}
