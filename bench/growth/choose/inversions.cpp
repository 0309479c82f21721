// time: n log n
// memory: n
// input: ../inputs/array.yaml
// sizes: 1000,10000,50000,100000,200000,500000
// n_max: 500000
#include <bits/stdc++.h>
using namespace std;

long long countInversions(vector<int>& a, vector<int>& tmp, int l, int r) {
    if (r - l <= 1) return 0;
    int m = (l + r) / 2;
    long long total = countInversions(a, tmp, l, m) + countInversions(a, tmp, m, r);
    int i = l, j = m, k = l;
    while (i < m && j < r) {
        if (a[i] <= a[j]) {
            tmp[k++] = a[i++];
        } else {
            total += m - i;
            tmp[k++] = a[j++];
        }
    }
    while (i < m) tmp[k++] = a[i++];
    while (j < r) tmp[k++] = a[j++];
    for (int t = l; t < r; t++) a[t] = tmp[t];
    return total;
}

int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n), tmp(n);
    for (int i = 0; i < n; i++) scanf("%d", &a[i]);
    printf("%lld\n", countInversions(a, tmp, 0, n));
}
