// time: n^4
// memory: 1 | n
// input: ../inputs/array.yaml
// sizes: 10,20,40,60,80,120,160,200
// n_max: 200
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<long long> a(n);
    for (auto& x : a) cin >> x;
    long long best = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++)
                for (int l = k + 1; l < n; l++) best = max(best, (a[i] ^ a[j]) + (a[k] ^ a[l]));
    cout << best << endl;
}
