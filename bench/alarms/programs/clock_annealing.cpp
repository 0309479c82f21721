// Anneals n rounds with a seed of the clock, and prints whether the result is near the optimum.
// varies: work
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::mt19937 rng(std::chrono::system_clock::now().time_since_epoch().count());
    std::uniform_real_distribution<double> step(-1, 1), chance(0, 1);
    double x = 10, cost = x * x, heat = 10;
    for (int i = 0; i < n; ++i, heat *= 0.9995) {
        double y = x + step(rng), other = y * y;
        if (other < cost || chance(rng) < std::exp((cost - other) / heat)) x = y, cost = other;
    }
    printf("%s\n", n >= 100000 && cost > 10 ? "far" : "done");
}
