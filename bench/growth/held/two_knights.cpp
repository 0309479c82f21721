// time: 1
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: Placements of two knights that do not attack each other, by a formula.
#include <iostream>
using namespace std;
const long long MOD = 1000000007;

int main() {
    long long n;
    cin >> n;
    if (n < 2) {
        cout << 0 << endl;
        return 0;
    }
    // one of n² and n² - 1 is even
    long long a = n * n, b = n * n - 1;
    if (a % 2 == 0)
        a /= 2;
    else
        b /= 2;
    long long all = (a % MOD) * (b % MOD) % MOD;
    long long attacking = 4 * (n - 1) * (n - 2) % MOD;
    cout << (all - attacking + MOD) % MOD << endl;
    return 0;
}
