// time: √n
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: At the default sizes the loop takes some microseconds.
#include <bits/stdc++.h>
using namespace std;
int main() {
    long long n;
    cin >> n;
    long long sum = 0;
    for (long long i = 1; i * i <= n; i++)
        if (n % i == 0) sum += i + n / i;
    cout << sum << endl;
}
