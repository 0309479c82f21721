// Writes long doubles with printf.
#include <cmath>
#include <cstdio>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    long double sum = 0;
    for (int i = 1; i <= n; ++i) {
        sum += 1.0L / i;
        if (i % 10 == 0) printf("%.12Lf\n", sum - std::log((long double)i));
    }
}
