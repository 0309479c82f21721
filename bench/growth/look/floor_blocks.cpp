// time: √n
// memory: 1
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: Σ ⌊x/i⌋ by blocks of equal quotients, 200 times.
#include <cstdio>
int main() {
    long long n;
    scanf("%lld", &n);
    unsigned long long total = 0;
    for (long long x = n; x < n + 200; x++) {
        for (long long i = 1, j; i <= x; i = j + 1) {
            j = x / (x / i);
            total += (unsigned long long)(x / i) * (j - i + 1);
        }
    }
    printf("%llu\n", total);
}
