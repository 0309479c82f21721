// time: log n
// memory: 1
// input: size
// sizes: 1000,100000,1000000,10000000,1000000000,100000000000,10000000000000,1000000000000000,100000000000000000
// n_max: 100000000000000000
// note: Digit DP for 100000 random bounds up to n, with one table.
#include <iostream>
#include <random>
#include <string>
using namespace std;
typedef long long ll;

const int K = 7;
ll ways[20][K];  // numbers of i digits, zeros in front allowed, by digit sum mod K

void build() {
    ways[0][0] = 1;
    for (int i = 1; i < 20; i++)
        for (int rem = 0; rem < K; rem++)
            for (int d = 0; d <= 9; d++) ways[i][(rem + d) % K] += ways[i - 1][rem];
}

// how many numbers of 0..x have a digit sum that K divides
ll countUpTo(ll x) {
    string s = to_string(x);
    int rem = 0, left = s.size();
    ll total = 0;
    for (char c : s) {
        left--;
        for (int d = 0; d < c - '0'; d++) total += ways[left][(2 * K - (rem + d) % K) % K];
        rem = (rem + c - '0') % K;
    }
    return total + (rem == 0);
}

int main() {
    ll n;
    cin >> n;
    build();
    mt19937_64 rng(12345);
    unsigned long long check = 0;
    for (int q = 0; q < 100000; q++) {
        ll x = rng() % (n + 1);
        check = check * 31 + countUpTo(x);
    }
    cout << check << endl;
    return 0;
}
