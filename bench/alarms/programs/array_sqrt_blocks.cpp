// Answers updates and sums in blocks of 300.
// input: queries.yaml
// sizes: 100,1000,5000,20000
#include <cstdio>
#include <vector>
int main() {
    int n, q;
    if (scanf("%d %d", &n, &q) != 2) return 1;
    std::vector<long long> a(n), blocks(n / 300 + 1);
    for (int i = 0; i < n; ++i) {
        if (scanf("%lld", &a[i]) != 1) return 1;
        blocks[i / 300] += a[i];
    }
    long long digest = 0;
    for (int kind, l, r; q-- > 0 && scanf("%d %d %d", &kind, &l, &r) == 3;) {
        if (kind == 1) {
            a[l - 1] += r, blocks[(l - 1) / 300] += r;
            continue;
        }
        long long sum = 0;
        int i = l - 1;
        while (i < r && i % 300) sum += a[i++];
        for (; i + 300 <= r; i += 300) sum += blocks[i / 300];
        while (i < r) sum += a[i++];
        digest ^= sum;
    }
    printf("%lld\n", digest);
}
