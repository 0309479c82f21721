// expects: nothing
#include <bits/stdc++.h>
using namespace std;

int main() {
    long long n;
    cin >> n;
    unsigned long long x = 88172645463325252ULL;
    long long odd = 0, longest = 0, run = 0;
    for (long long i = 0; i < 500 * n; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        if (x & 1) {
            odd++;
            run++;
        } else {
            longest = max(longest, run);
            run = 0;
        }
    }
    cout << odd << " " << longest << "\n";
    return 0;
}
