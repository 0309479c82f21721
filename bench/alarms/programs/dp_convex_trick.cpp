// Splits an array into parts of least cost by lines in a deque.
// input: small.yaml
#include <deque>
#include <iostream>
#include <vector>
struct Line {
    long long slope, start;
    long long at(long long x) const { return slope * x + start; }
};
int main() {
    int n;
    std::cin >> n;
    std::vector<long long> sum(n + 1), best(n + 1);
    for (int i = 1; i <= n; ++i) std::cin >> sum[i], sum[i] = sum[i - 1] + sum[i] % 10 + 1;
    std::deque<Line> hull{{0, 0}};
    for (int i = 1; i <= n; ++i) {
        while (hull.size() > 1 && hull[0].at(sum[i]) >= hull[1].at(sum[i])) hull.pop_front();
        best[i] = hull[0].at(sum[i]) + sum[i] * sum[i] + 100;
        Line fresh{-2 * sum[i], best[i] + sum[i] * sum[i]};
        auto useless = [&] {
            const Line &a = hull[hull.size() - 2], &b = hull.back();
            return (__int128)(fresh.start - a.start) * (a.slope - b.slope) <=
                   (__int128)(b.start - a.start) * (a.slope - fresh.slope);
        };
        while (hull.size() > 1 && useless()) hull.pop_back();
        hull.push_back(fresh);
    }
    std::cout << best[n] << '\n';
}
