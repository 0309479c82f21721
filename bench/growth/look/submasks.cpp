// time: n^1.58
// memory: 1
// input: size
// sizes: 1024,4096,16384,32768,65536,131072
// n_max: 131072
// note: Submasks of all masks below a power of two: n^(log₂ 3).
#include <cstdio>
int main() {
    int n;
    scanf("%d", &n);
    unsigned long long total = 0;
    for (int mask = 0; mask < n; mask++)
        for (int sub = mask; sub > 0; sub = (sub - 1) & mask) total += sub ^ (mask >> 1);
    printf("%llu\n", total);
}
