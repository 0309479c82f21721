// time: 1
// memory: 1
// input: size
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    long long n;
    cin >> n;
    cout << n * (n + 1) / 2 % 1000000007 << endl;
}
