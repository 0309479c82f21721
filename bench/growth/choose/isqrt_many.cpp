// time: log n
// memory: 1
// input: size
// sizes: 1000,10000,100000,1000000,10000000,100000000,1000000000
// n_max: 1000000000
// note: A fixed number of binary searches over a range of n.
#include <cstdio>
int main() {
    unsigned n;
    if (scanf("%u", &n) != 1) return 0;
    unsigned long long total = 0;
    for (unsigned q = 1; q <= 300000; q++) {
        unsigned long long target = (unsigned long long)n * n / q;
        unsigned long long lo = 0, hi = n;
        while (lo < hi) {
            unsigned long long mid = (lo + hi + 1) / 2;
            if (mid * mid <= target) lo = mid;
            else hi = mid - 1;
        }
        total += lo;
    }
    printf("%llu\n", total);
}
