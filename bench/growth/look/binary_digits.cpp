// time: log n
// memory: 1
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    unsigned n;
    cin >> n;
    unsigned long long ones = 0;
    for (unsigned q = 0; q < 300000; q++)
        for (unsigned y = n ^ (q & 7); y; y >>= 1) ones = ones * 3 + (y & 1);
    cout << ones << endl;
}
