// time: n√n | n^1.4
// memory: 1
// input: size
// sizes: 1000,10000,50000,100000,200000,500000,1000000
// n_max: 1000000
// note: The primes alone are divided up to their root: n√n / log n, which in this range looks like n^1.41.
#include <iostream>
using namespace std;

bool isPrime(int x) {
    if (x < 2) return false;
    for (int i = 2; i * i <= x; i++)
        if (x % i == 0) return false;
    return true;
}

int main() {
    int n, count = 0;
    cin >> n;
    for (int i = 1; i <= n; i++) count += isPrime(i);
    cout << count << endl;
}
