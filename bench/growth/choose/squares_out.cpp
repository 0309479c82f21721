// time: n
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: Writing is all there is.
#include <cstdio>
int main() {
    long long n;
    scanf("%lld", &n);
    for (long long i = 1; i <= n; i++) printf("%lld\n", i * i);
    return 0;
}
