// time: n
// memory: 1
// input: ../inputs/array.yaml
// sizes: 10000,50000,100000,200000,500000,1000000
// n_max: 1000000
#include <cstdio>
static inline int readInt() {
    int c = getchar_unlocked(), x = 0;
    while (c < '0' && c != EOF) c = getchar_unlocked();
    while (c >= '0') {
        x = x * 10 + (c - '0');
        c = getchar_unlocked();
    }
    return x;
}
int main() {
    int n = readInt();
    long long best = 0, current = 0;
    for (int i = 0; i < n; i++) {
        long long x = (long long)readInt() - 500000000;
        current = current + x > 0 ? current + x : 0;
        if (current > best) best = current;
    }
    printf("%lld\n", best);
}
