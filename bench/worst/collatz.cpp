#include <cstdio>
int main() {
    long n, k, steps = 0;
    scanf("%ld %ld", &n, &k);
    for (int i = 0; i < n; ++i)
        for (long x = k; x != 1; x = x % 2 ? 3 * x + 1 : x / 2) ++steps;
    printf("%ld\n", steps);
}
