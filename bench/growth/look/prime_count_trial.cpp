// time: n√n
// memory: 1
// input: size
// sizes: 1000,5000,10000,50000,100000,200000
// n_max: 200000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    long long divisors = 0;
    for (int x = 1; x <= n; x++)
        for (int d = 1; d * d <= x; d++) divisors += x % d == 0;
    cout << divisors << endl;
}
