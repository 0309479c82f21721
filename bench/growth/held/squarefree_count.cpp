// time: √n
// memory: √n
// input: size
// sizes: 1000000,100000000,10000000000,100000000000,1000000000000,10000000000000,100000000000000
// n_max: 100000000000000
// note: Möbius values up to √n from a linear sieve.
#include <bits/stdc++.h>
using namespace std;

int main() {
    long long n;
    scanf("%lld", &n);
    int root = 0;
    while ((long long)(root + 1) * (root + 1) <= n) root++;
    vector<signed char> mu(root + 1, 1);
    vector<bool> composite(root + 1, false);
    vector<int> primes;
    for (int i = 2; i <= root; i++) {
        if (!composite[i]) {
            primes.push_back(i);
            mu[i] = -1;
        }
        for (int p : primes) {
            if ((long long)i * p > root) break;
            composite[i * p] = true;
            if (i % p == 0) {
                mu[i * p] = 0;
                break;
            }
            mu[i * p] = -mu[i];
        }
    }
    long long count = 0;
    for (long long d = 1; d <= root; d++) count += mu[d] * (n / (d * d));
    printf("%lld\n", count);
    return 0;
}
