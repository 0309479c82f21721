// Prints a random number: honest output that differs from run to run.
// varies: output
#include <cstdio>
#include <random>
int main() {
    std::mt19937_64 rng(std::random_device{}());
    int n;
    if (scanf("%d", &n) != 1) return 1;
    unsigned long long sum = 0;
    for (int i = 0; i <= n; ++i) sum += rng();
    printf("%llu\n", sum);
}
