// Seeds with the address of a variable, as some templates do.
// varies: work
#include <cstdint>
#include <cstdio>
#include <random>
int main() {
    int n;
    std::mt19937 rng(reinterpret_cast<std::uintptr_t>(&n));
    if (scanf("%d", &n) != 1) return 1;
    long inside = 0;
    for (int i = 0; i < n; ++i) inside += rng() % 2 < 2;
    printf("%ld\n", inside);
}
