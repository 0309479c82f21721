// time: n√n
// memory: 1
// input: size
// sizes: 1000,5000,10000,50000,100000,200000
// n_max: 200000
#include <iostream>
using namespace std;
int main() {
    int n;
    cin >> n;
    long long total = 0;
    for (int x = 1; x <= n; x++)
        for (int d = 1; d * d <= x; d++)
            if (x % d == 0) total += d + (d * d == x ? 0 : x / d);
    cout << total << '\n';
}
