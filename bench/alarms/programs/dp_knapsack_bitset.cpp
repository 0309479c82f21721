// Finds reachable sums by a bitset.
// input: small.yaml
// sizes: 50,200,500,1000
#include <bitset>
#include <iostream>
int main() {
    int n, x;
    std::cin >> n;
    static std::bitset<1000001> reach;
    reach[0] = 1;
    while (n-- && std::cin >> x) reach |= reach << x;
    std::cout << reach.count() << '\n';
}
