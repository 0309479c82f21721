// time: √n
// memory: √n
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: Baby steps and giant steps in a group of about n elements; the table has √n entries.
#include <bits/stdc++.h>
using namespace std;
typedef long long ll;

int main() {
    ll n;
    cin >> n;
    ll p = 2147483647;
    ll m = (ll)sqrt((double)n) + 1;
    map<ll, ll> table;
    ll g = 7, value = 1;
    for (ll j = 0; j < m; j++) {
        table.emplace(value, j);
        value = value * g % p;
    }
    ll step = value, found = 0;
    ll current = 3;
    for (ll i = 0; i < m; i++) {
        found += table.count(current);
        current = current * step % p;
    }
    cout << found << " " << table.size() << "\n";
}
