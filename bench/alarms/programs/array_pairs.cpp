// Compares every pair of numbers.
// input: array.yaml
// sizes: 100,1000,3000,6000
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    long long found = 0;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) found += (a[i] ^ a[j]) % 3 == 0;
    std::cout << found << '\n';
}
