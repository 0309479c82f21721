// time: n^0.67
// memory: 1
// input: size
// sizes: 100000,1000000,10000000,100000000,1000000000,10000000000,100000000000,1000000000000
// n_max: 1000000000000
// note: Pairs of cubes with a sum of at most n, one by one.
#include <cstdio>

int main() {
    long long n;
    if (scanf("%lld", &n) != 1) return 1;
    long long pairs = 0, exact = 0, nearest = 0;
    for (long long a = 1; 2 * a * a * a <= n; a++) {
        for (long long b = a; a * a * a + b * b * b <= n; b++) {
            long long s = a * a * a + b * b * b;
            pairs++;
            if (s == n) exact++;
            if (s > nearest) nearest = s;
        }
    }
    printf("%lld %lld %lld\n", pairs, exact, nearest);
    return 0;
}
