// Reads steady_clock around its work and does not use the difference.
// varies: work
#include <chrono>
#include <cstdio>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    auto begun = std::chrono::steady_clock::now();
    unsigned long long sum = 0;
    for (int i = 0; i < n; ++i) sum = sum * 31 + i;
    volatile auto took = (std::chrono::steady_clock::now() - begun).count();
    (void)took;
    printf("%llu\n", sum);
}
