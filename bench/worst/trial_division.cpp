#include <cstdio>
int main() {
    long n, k, divisor = 0;
    scanf("%ld %ld", &n, &k);
    for (int i = 0; i < n; ++i)
        for (divisor = 2; divisor * divisor <= k && k % divisor; ++divisor) {}
    printf("%ld\n", divisor);
}
