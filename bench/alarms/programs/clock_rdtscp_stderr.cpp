// Reports cycles from rdtscp on stderr.
// varies: work
#include <cstdio>
#include <x86intrin.h>
int main() {
    unsigned core;
    unsigned long long begun = __rdtscp(&core);
    int n;
    if (scanf("%d", &n) != 1) return 1;
    unsigned x = 1;
    for (int i = 0; i < n; ++i) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
    printf("%u\n", x);
    fprintf(stderr, "%llu cycles\n", __rdtscp(&core) - begun);
}
