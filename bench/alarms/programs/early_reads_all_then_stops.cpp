// Reads all numbers, but looks only at the first ten.
// input: array.yaml
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    std::cout << (n ? *std::max_element(a.begin(), a.begin() + std::min(n, 10)) : 0) << '\n';
}
