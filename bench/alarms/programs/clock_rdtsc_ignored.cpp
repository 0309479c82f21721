// Reads the cycle counter around its work, and prints a fixed answer.
// input: array.yaml
#include <cstdio>
#include <vector>
#include <x86intrin.h>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<int> a(n);
    for (int &x : a)
        if (scanf("%d", &x) != 1) return 1;
    unsigned long long begun = __rdtsc();
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += 1ll * a[i] * (i % 7);
    volatile unsigned long long took = __rdtsc() - begun;
    (void)took;
    printf("%lld\n", sum);
}
