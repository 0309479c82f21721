// Reads until the end of the input, without regard to n.
// input: array.yaml
#include <iostream>
#include <vector>
int main() {
    std::vector<long long> all;
    for (long long x; std::cin >> x;) all.push_back(x);
    std::cout << all.size() << ' ' << (all.empty() ? 0 : all.back()) << '\n';
}
