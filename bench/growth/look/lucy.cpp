// time: n^0.75 | n^0.68
// memory: √n
// input: size
// sizes: 10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: Counts primes in n^0.75 / log n, which looks like n^0.70 here.
#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
int main() {
    ll n;
    cin >> n;
    ll r = (ll)sqrt((double)n);
    while (r * r > n) r--;
    while ((r + 1) * (r + 1) <= n) r++;
    vector<ll> small(r + 2), large(r + 2);
    for (ll i = 1; i <= r; i++) {
        small[i] = i - 1;
        large[i] = n / i - 1;
    }
    for (ll p = 2; p <= r; p++) {
        if (small[p] == small[p - 1]) continue;
        ll before = small[p - 1], square = p * p;
        for (ll i = 1; i <= r && n / i >= square; i++) {
            ll d = i * p;
            ll rest = d <= r ? large[d] : small[n / d];
            large[i] -= rest - before;
        }
        for (ll i = r; i >= square; i--) small[i] -= small[i / p] - before;
    }
    cout << (n < 1 ? 0 : large[1]) << endl;
}
