// Stops at the first value that comes again.
// input: million.yaml
#include <iostream>
#include <unordered_set>
int main() {
    int n, x;
    std::cin >> n;
    std::unordered_set<int> seen;
    for (int i = 0; i < n; ++i) {
        std::cin >> x;
        if (!seen.insert(x).second) return std::cout << x << '\n', 0;
    }
    std::cout << "none\n";
}
