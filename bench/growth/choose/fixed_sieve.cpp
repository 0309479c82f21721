// time: 1
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: The sieve always has the bound of the task, whatever n is.
#include <bits/stdc++.h>
using namespace std;

const int MAXN = 1000000;
bool composite[MAXN + 1];
int primesUpTo[MAXN + 1];

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    for (int i = 2; i <= MAXN; i++) {
        primesUpTo[i] = primesUpTo[i - 1] + !composite[i];
        if (composite[i]) continue;
        for (long long j = 1LL * i * i; j <= MAXN; j += i) composite[j] = true;
    }
    int n;
    cin >> n;
    cout << primesUpTo[n] << "\n";
}
