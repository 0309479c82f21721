// Counts pairs with a sum below 10^9 by two pointers.
// input: sorted.yaml
#include <iostream>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    int n;
    std::cin >> n;
    std::vector<long long> a(n);
    for (auto &x : a) std::cin >> x;
    long long found = 0;
    for (int i = 0, j = n - 1; i < j;) {
        if (a[i] + a[j] < 1000000000) found += j - i, ++i;
        else --j;
    }
    std::cout << found << '\n';
}
