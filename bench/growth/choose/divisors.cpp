// time: √n
// memory: 1
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: Divisors of 500 successive numbers, without an early exit.
#include <iostream>
using namespace std;
int main() {
    int n;
    cin >> n;
    long long total = 0;
    for (int k = 0; k < 500; k++) {
        int x = n + k;
        for (int i = 1; (long long)i * i <= x; i++) {
            if (x % i == 0) {
                total++;
                if (i != x / i) total++;
            }
        }
    }
    cout << total << endl;
    return 0;
}
