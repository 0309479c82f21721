// time: n
// memory: n
// input: size
// sizes: 10000,100000,500000,1000000,2000000,5000000,10000000
// n_max: 10000000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> least(n + 1, 0), primes;
    for (int i = 2; i <= n; i++) {
        if (least[i] == 0) {
            least[i] = i;
            primes.push_back(i);
        }
        for (int p : primes) {
            if (p > least[i] || (long long)p * i > n) break;
            least[p * i] = p;
        }
    }
    cout << primes.size() << endl;
}
