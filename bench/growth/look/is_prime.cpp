// time: √n
// memory: 1
// input: size
// sizes: 10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: A loop to the root of n, as the first loop that one writes.
#include <bits/stdc++.h>
using namespace std;
int main() {
    long long n;
    cin >> n;
    int divisors = 0;
    for (long long i = 1; i * i <= n; i++)
        if (n % i == 0) divisors += i * i == n ? 1 : 2;
    cout << divisors << endl;
}
