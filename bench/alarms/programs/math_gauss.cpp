// Solves a linear system by Gauss with pivots.
// input: matrix.yaml
// sizes: 20,60,120,200
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<std::vector<double>> a(n, std::vector<double>(n));
    for (auto &row : a)
        for (double &x : row)
            if (scanf("%lf", &x) != 1) return 1;
    double log_of = 0;
    for (int i = 0; i < n; ++i) {
        int best = i;
        for (int j = i; j < n; ++j)
            if (std::fabs(a[j][i]) > std::fabs(a[best][i])) best = j;
        std::swap(a[i], a[best]);
        if (a[i][i] == 0) continue;
        log_of += std::log(std::fabs(a[i][i]));
        for (int j = i + 1; j < n; ++j) {
            double factor = a[j][i] / a[i][i];
            for (int k = i; k < n; ++k) a[j][k] -= factor * a[i][k];
        }
    }
    printf("%.3f\n", log_of);
}
