// Has static arrays of 64 MiB and touches the part that n needs.
#include <cstdio>
static int table[16 << 20];
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; ++i) table[i * 160ll % (16 << 20)] += i;
    long long sum = 0;
    for (int i = 0; i < n; ++i) sum += table[i];
    printf("%lld\n", sum);
}
