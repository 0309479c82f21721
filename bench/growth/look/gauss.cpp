// time: n³
// memory: n²
// input: ../inputs/matrix.yaml
// sizes: 20,50,100,200,400,600
// n_max: 600
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<vector<double>> a(n, vector<double>(n));
    for (auto& row : a)
        for (double& x : row) scanf("%lf", &x);
    double det = 0;
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c; r < n; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c])) pivot = r;
        swap(a[c], a[pivot]);
        det += log(fabs(a[c][c]) + 1e-9);
        for (int r = c + 1; r < n; r++) {
            double f = a[r][c] / a[c][c];
            for (int k = c; k < n; k++) a[r][k] -= f * a[c][k];
        }
    }
    printf("%.3f\n", det);
}
