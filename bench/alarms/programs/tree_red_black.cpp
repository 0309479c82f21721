// Keeps a sliding window of 100 numbers in a multiset and adds up the medians.
// input: array.yaml
#include <iostream>
#include <iterator>
#include <set>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> a(n);
    std::multiset<int> window;
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        std::cin >> a[i];
        window.insert(a[i]);
        if (i >= 100) window.erase(window.find(a[i - 100]));
        if (i % 10 == 0) sum += *std::next(window.begin(), window.size() / 2);
    }
    std::cout << sum << '\n';
}
