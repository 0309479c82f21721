// time: 1 | log n
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: One Euclid takes less than reading n does: nobody can see its log n.
#include <bits/stdc++.h>
using namespace std;
int main() {
    long long n;
    cin >> n;
    long long a = n + 1, b = n / 2 + 3;
    while (b) {
        long long r = a % b;
        a = b;
        b = r;
    }
    cout << a << endl;
}
