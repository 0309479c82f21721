// time: n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    ios::sync_with_stdio(false);
    int n;
    cin >> n;
    int k = max(1, n / 4);
    vector<int> a(n);
    for (auto& x : a) cin >> x;
    deque<int> d;
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        while (!d.empty() && a[d.back()] <= a[i]) d.pop_back();
        d.push_back(i);
        if (d.front() <= i - k) d.pop_front();
        if (i >= k - 1) sum += a[d.front()];
    }
    cout << sum << endl;
}
