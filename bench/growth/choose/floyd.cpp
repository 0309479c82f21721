// time: n³
// memory: n²
// input: ../inputs/matrix.yaml
// sizes: 25,50,100,200,300,400,500
// n_max: 500
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<long long>> d(n, vector<long long>(n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) scanf("%lld", &d[i][j]);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
    long long sum = 0;
    for (auto& row : d)
        for (auto x : row) sum += x;
    printf("%lld\n", sum);
}
