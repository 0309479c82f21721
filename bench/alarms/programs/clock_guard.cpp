// Climbs hills for n rounds, with a guard against the time limit every 1024 rounds.
// varies: work
#include <cmath>
#include <cstdio>
#include <ctime>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    unsigned state = 12345;
    double x = 0, best = -1e9;
    for (int i = 0; i < n; ++i) {
        if (i % 1024 == 0 && clock() > 60 * CLOCKS_PER_SEC) break;
        state = state * 1664525u + 1013904223u;
        double y = x + (state / 4294967296.0 - 0.5), value = std::sin(3 * y) - y * y / 10;
        if (value > best) best = value, x = y;
    }
    printf("%.6f\n", best);
}
