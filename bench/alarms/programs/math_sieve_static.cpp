// Sieves primes in a static array of ten million, whatever n is.
#include <cstdio>
static bool composite[10000001];
int main() {
    int n, found = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 2; i * i <= n; ++i)
        if (!composite[i])
            for (int j = i * i; j <= n; j += i) composite[j] = true;
    for (int i = 2; i <= n; ++i) found += !composite[i];
    printf("%d\n", found);
}
