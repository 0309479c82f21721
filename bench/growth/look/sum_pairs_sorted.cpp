// time: n² log n
// memory: n²
// input: ../inputs/array.yaml
// sizes: 50,100,300,600,1000,1500
// n_max: 1500
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n), sums;
    for (int& x : a) scanf("%d", &x);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sums.push_back(a[i] - a[j]);
    sort(sums.begin(), sums.end());
    printf("%d\n", sums.empty() ? 0 : sums[sums.size() / 3]);
}
