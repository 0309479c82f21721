// time: n!
// memory: 1 | n
// input: size
// sizes: 1,2,4,6,7,8,9,10,11
// n_max: 11
// note: n · n! steps: the nearest name.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> p(n);
    iota(p.begin(), p.end(), 0);
    int best = INT_MAX;
    do {
        int cost = 0;
        for (int i = 0; i + 1 < n; i++) cost += (p[i] * 13 + p[i + 1] * 29) % 31;
        best = min(best, cost);
    } while (next_permutation(p.begin(), p.end()));
    cout << best << endl;
}
