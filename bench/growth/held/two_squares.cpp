// time: √n
// memory: 1
// input: size
// sizes: 1000000,100000000,10000000000,100000000000,1000000000000,10000000000000,100000000000000
// n_max: 100000000000000
// note: Ways to write n as a² + b², by two pointers.
#include <cmath>
#include <iostream>
using namespace std;

int main() {
    long long n;
    cin >> n;
    long long a = 0, b = (long long)sqrtl((long double)n) + 1;
    int ways = 0;
    while (a <= b) {
        long long s = a * a + b * b;
        if (s == n) {
            ways++;
            a++;
            b--;
        } else if (s < n) {
            a++;
        } else {
            b--;
        }
    }
    cout << ways << endl;
    return 0;
}
