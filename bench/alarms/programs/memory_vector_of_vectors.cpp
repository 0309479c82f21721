// Grows n vectors by turns.
// input: small.yaml
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<std::vector<int>> of(n + 1);
    for (int i = 0, x; i < n; ++i) {
        std::cin >> x;
        for (int k = 0; k < 8; ++k) of[x].push_back(i * k);
    }
    size_t longest = 0;
    for (auto &one : of) longest = std::max(longest, one.size());
    std::cout << longest << '\n';
}
