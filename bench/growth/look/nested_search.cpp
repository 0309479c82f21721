// time: log² n
// memory: 1
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    long long n;
    cin >> n;
    long long found = 0;
    for (int q = 0; q < 20000; q++) {
        long long l = 0, r = n;
        while (l < r) {
            long long m = (l + r) / 2, x = 0, y = n;
            while (x < y) {
                long long k = (x + y) / 2;
                if (k * 3 + q < m * 2) x = k + 1; else y = k;
            }
            if (x * 5 + q < n) l = m + 1; else r = m;
        }
        found += l;
    }
    cout << found << endl;
}
