// Finds all distances of a small matrix by three loops.
// input: matrix.yaml
// sizes: 20,60,120,200
#include <cstdio>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<std::vector<int>> d(n, std::vector<int>(n));
    for (auto &row : d)
        for (int &x : row)
            if (scanf("%d", &x) != 1) return 1;
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (d[i][k] + d[k][j] < d[i][j]) d[i][j] = d[i][k] + d[k][j];
    long long sum = 0;
    for (auto &row : d)
        for (int x : row) sum += x;
    printf("%lld\n", sum);
}
