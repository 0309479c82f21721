// Adds up slices of a valarray.
#include <cstdio>
#include <valarray>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::valarray<double> a(1.5, n + 1);
    for (int i = 0; i < n; ++i) a[i] += i % 3;
    std::valarray<double> b = std::sqrt(a * a + 1.0);
    printf("%.4f\n", b.sum());
}
