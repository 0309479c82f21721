// The length of the longest strictly rising subsequence, by comparing every pair.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n;
    std::cin >> n;
    std::vector<int> a(n), longest(n, 1);
    int best = 0;
    for (int i = 0; i < n; ++i) {
        std::cin >> a[i];
        for (int j = 0; j < i; ++j) {
            if (a[j] < a[i]) longest[i] = std::max(longest[i], longest[j] + 1);
        }
        best = std::max(best, longest[i]);
    }
    std::cout << best << '\n';
}
