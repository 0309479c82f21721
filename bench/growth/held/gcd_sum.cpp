// time: n log n
// memory: 1
// input: size
// sizes: 1000,10000,50000,100000,500000,1000000,5000000
// n_max: 5000000
// note: Euclid takes 0.84 ln n steps on average.
#include <iostream>
using namespace std;

long long gcd(long long a, long long b) {
    return b == 0 ? a : gcd(b, a % b);
}

int main() {
    long long n;
    cin >> n;
    long long sum = 0, coprime = 0;
    for (long long i = 1; i <= n; i++) {
        long long g = gcd(n, i);
        sum += g;
        if (g == 1) coprime++;
    }
    cout << sum << " " << coprime << endl;
    return 0;
}
