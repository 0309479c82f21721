// Sorts halves by std::async.
// input: array.yaml
// varies: work
#include <algorithm>
#include <future>
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    auto middle = a.begin() + n / 2;
    auto left = std::async(std::launch::async, [&] { std::sort(a.begin(), middle); });
    std::sort(middle, a.end());
    left.get();
    std::inplace_merge(a.begin(), middle, a.end());
    std::cout << (n ? a[n / 3] : 0) << '\n';
}
