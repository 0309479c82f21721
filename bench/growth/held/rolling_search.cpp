// time: n
// memory: n
// input: ../inputs/find.yaml
// sizes: default
// n_max: 100000
// note: Rabin and Karp, with a pattern of n/10 letters.
#include <iostream>
#include <string>
#include <vector>
using namespace std;
typedef unsigned long long ull;

const ull MOD = 1000000007ULL, BASE = 131;

int main() {
    string s, t;
    getline(cin, s);
    getline(cin, t);
    int n = s.size(), m = t.size();
    if (m == 0 || m > n) {
        cout << 0 << endl;
        return 0;
    }
    vector<ull> hash(n + 1, 0), power(n + 1, 1);
    for (int i = 0; i < n; i++) {
        hash[i + 1] = (hash[i] * BASE + s[i]) % MOD;
        power[i + 1] = power[i] * BASE % MOD;
    }
    ull wanted = 0;
    for (char c : t) wanted = (wanted * BASE + c) % MOD;
    int matches = 0, first = -1;
    for (int i = 0; i + m <= n; i++) {
        ull here = (hash[i + m] + MOD - hash[i] * power[m] % MOD) % MOD;
        if (here == wanted) {
            if (first < 0) first = i;
            matches++;
        }
    }
    cout << matches << " " << first << endl;
}
