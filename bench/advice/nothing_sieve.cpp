// expects: nothing
#include <cstdio>
#include <vector>

int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    int limit = 20 * n + 2;
    std::vector<char> composite(limit + 1);
    int count = 0, last = 2, gap = 0;
    for (int i = 2; i <= limit; ++i) {
        if (composite[i]) continue;
        ++count;
        if (i - last > gap) gap = i - last;
        last = i;
        for (long long j = 1LL * i * i; j <= limit; j += i) composite[j] = 1;
    }
    std::printf("%d %d\n", count, gap);
}
