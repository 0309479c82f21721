// expects: reserve(
// fix 20: std::vector<int> window; window.reserve(width);
#include <algorithm>
#include <cstdio>
#include <vector>

// The sum of the spreads of all windows of twelve numbers.
int main() {
    int n;
    if (std::scanf("%d", &n) != 1) return 1;
    const int width = 12;
    std::vector<int> values(n + width);
    unsigned state = 7;
    for (int& value : values) {
        state = state * 1103515245u + 12345u;
        value = state >> 12;
    }
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        std::vector<int> window;
        for (int j = i; j < i + width; ++j) {
            window.push_back(values[j]);
        }
        auto ends = std::minmax_element(window.begin(), window.end());
        sum += *ends.second - *ends.first;
    }
    std::printf("%lld\n", sum);
}
