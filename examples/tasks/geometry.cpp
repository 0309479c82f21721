// Finds the closest pair of points by a sweep over the points within the best distance. What to
// see: n log n on random points, because few of them are ever close to each other.
#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

int main() {
    int n = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::vector<std::pair<long long, long long>> points(n);
    for (auto& [x, y] : points)
        if (std::scanf("%lld %lld", &x, &y) != 2) return 1;
    std::sort(points.begin(), points.end());
    std::set<std::pair<long long, long long>> near;
    long long best = 1LL << 60;
    std::size_t oldest = 0;
    for (auto [x, y] : points) {
        auto squared = [](long long d) { return d * d; };
        while (squared(x - points[oldest].first) >= best)
            near.erase({points[oldest].second, points[oldest].first}), ++oldest;
        long long reach = 1;
        while (squared(reach) < best && reach < (1LL << 30)) reach *= 2;
        for (auto at = near.lower_bound({y - reach, 0}); at != near.end() && at->first <= y + reach; ++at)
            best = std::min(best, squared(x - at->second) + squared(y - at->first));
        near.insert({y, x});
        if (best == 0) break;
    }
    std::printf("%lld\n", n < 2 ? -1 : best);
}
