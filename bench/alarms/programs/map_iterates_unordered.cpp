// Adds up an unordered_map in its own order.
// input: million.yaml
#include <iostream>
#include <unordered_map>
int main() {
    int n, x;
    std::cin >> n;
    std::unordered_map<int, int> counts;
    while (n-- && std::cin >> x) ++counts[x];
    unsigned long long digest = 0;
    for (auto [key, count] : counts) digest = digest * 31 + key * count;
    std::cout << digest << '\n';
}
