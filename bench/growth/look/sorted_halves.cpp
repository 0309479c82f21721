// time: n log² n
// memory: n
// input: ../inputs/array.yaml
// sizes: 1000,5000,10000,50000,100000,200000
// n_max: 200000
#include <bits/stdc++.h>
using namespace std;
long long solve(vector<int>& a, int l, int r) {
    if (r - l < 2) return 0;
    int m = (l + r) / 2;
    long long pairs = solve(a, l, m) + solve(a, m, r);
    vector<int> right(a.begin() + m, a.begin() + r);
    sort(right.begin(), right.end());
    for (int i = l; i < m; i++) pairs += lower_bound(right.begin(), right.end(), a[i]) - right.begin();
    return pairs;
}
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int& x : a) scanf("%d", &x);
    printf("%lld\n", solve(a, 0, n));
}
