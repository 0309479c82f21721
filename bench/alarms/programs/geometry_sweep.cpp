// Counts the most intervals that overlap, by sorted events.
// input: intervals.yaml
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<std::pair<int, int>> events;
    for (int i = 0, a, b; i < n; ++i) {
        std::cin >> a >> b;
        events.push_back({a, 1}), events.push_back({b + 1, -1});
    }
    std::sort(events.begin(), events.end());
    int open = 0, most = 0;
    for (auto [at, change] : events) most = std::max(most, open += change);
    std::cout << most << '\n';
}
