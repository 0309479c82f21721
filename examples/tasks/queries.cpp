// Sums ranges of an array that changes, by a Fenwick tree. What to see: n log n, hidden by the time
// to read the input; --instructions tells the two apart.
#include <cstdio>
#include <vector>

int main() {
    int n = 0, q = 0;
    if (std::scanf("%d %d", &n, &q) != 2) return 1;
    std::vector<long long> tree(n + 1);
    auto add = [&](int at, long long value) {
        for (; at <= n; at += at & -at) tree[at] += value;
    };
    auto sum = [&](int at) {
        long long total = 0;
        for (; at > 0; at -= at & -at) total += tree[at];
        return total;
    };
    long long check = 0;
    while (q-- > 0) {
        int kind, a, b;
        if (std::scanf("%d %d %d", &kind, &a, &b) != 3) return 1;
        if (kind == 1) add(a, b);
        else check ^= sum(b) - sum(a - 1);
    }
    std::printf("%lld\n", check);
}
