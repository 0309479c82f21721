// time: n³
// memory: n²
// input: ../inputs/few.yaml
// sizes: 25,50,100,200,400,600
// n_max: 600
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<long long> a(n + 2, 1);
    for (int i = 1; i <= n; i++) scanf("%lld", &a[i]);
    vector<vector<long long>> best(n + 2, vector<long long>(n + 2, 0));
    for (int len = 2; len <= n + 1; len++)
        for (int l = 0; l + len <= n + 1; l++) {
            int r = l + len;
            for (int k = l + 1; k < r; k++)
                best[l][r] = max(best[l][r], best[l][k] + best[k][r] + a[l] * a[k] * a[r]);
        }
    printf("%lld\n", best[0][n + 1]);
}
