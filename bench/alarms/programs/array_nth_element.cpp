// Finds the median by nth_element.
// input: array.yaml
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    std::nth_element(a.begin(), a.begin() + n / 2, a.end());
    std::cout << (n ? a[n / 2] : 0) << '\n';
}
