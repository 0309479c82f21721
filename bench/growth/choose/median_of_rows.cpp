// time: n² log n
// memory: n
// input: ../inputs/points.yaml
// sizes: 100,200,500,1000,2000,3000
// n_max: 3000
// note: For each point its distances are sorted.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<long long> x(n), y(n);
    for (int i = 0; i < n; i++) cin >> x[i] >> y[i];
    long long best = LLONG_MAX;
    for (int i = 0; i < n; i++) {
        vector<long long> d;
        for (int j = 0; j < n; j++) {
            long long dx = x[i] - x[j], dy = y[i] - y[j];
            d.push_back(dx * dx + dy * dy);
        }
        sort(d.begin(), d.end());
        best = min(best, d[n / 2]);
    }
    cout << best << endl;
}
