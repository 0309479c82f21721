// time: n² log n
// memory: n²
// input: ../inputs/array.yaml
// sizes: 100,200,400,700,1000,1500,2000
// n_max: 2000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int i = 0; i < n; i++) scanf("%d", &a[i]);
    vector<long long> sums;
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) sums.push_back((long long)a[i] + a[j]);
    sort(sums.begin(), sums.end());
    printf("%lld\n", sums.empty() ? 0 : sums[sums.size() / 2]);
}
