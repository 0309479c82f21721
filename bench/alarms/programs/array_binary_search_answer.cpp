// Splits an array into ten parts whose largest sum is least, by binary search.
// input: array.yaml
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<long long> a(n);
    for (auto &x : a) std::cin >> x;
    long long low = 1000000000, high = 1000000000ll * (n + 1);
    while (low < high) {
        long long middle = (low + high) / 2, sum = 0;
        int parts = 1;
        for (long long x : a) {
            if (sum + x > middle) ++parts, sum = 0;
            sum += x;
        }
        if (parts <= 10) high = middle;
        else low = middle + 1;
    }
    std::cout << low << '\n';
}
