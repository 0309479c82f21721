// time: 1
// memory: 1
// input: size
// sizes: default
// n_max: 100000
#include <cstdio>
int main() {
    long long n;
    if (scanf("%lld", &n) != 1) return 0;
    printf("%lld\n", n * (n + 1) / 2);
    return 0;
}
