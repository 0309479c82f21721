// Answers range sums by prefix sums.
// input: ranges.yaml
#include <cstdio>
#include <vector>
int main() {
    int n, q;
    if (scanf("%d %d", &n, &q) != 2) return 1;
    std::vector<long long> sums(n + 1);
    for (int i = 0, x; i < n && scanf("%d", &x) == 1; ++i) sums[i + 1] = sums[i] + x;
    for (int l, r; q-- > 0 && scanf("%d %d", &l, &r) == 2;) printf("%lld\n", sums[r] - sums[l - 1]);
}
