// time: log n
// memory: 1
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: The digits of numbers about n, a fixed count of times.
#include <iostream>
using namespace std;
int main() {
    long long n;
    cin >> n;
    long long total = 0;
    for (int q = 0; q < 500000; q++) {
        for (long long y = n + q % 16; y > 0; y /= 10) total += y % 10;
    }
    cout << total << endl;
}
