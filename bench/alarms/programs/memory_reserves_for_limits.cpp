// Reserves for the largest input of the task, and uses n of it.
// input: array.yaml
#include <iostream>
#include <vector>
int main() {
    std::vector<int> a;
    a.reserve(5000000);
    int n, x;
    std::cin >> n;
    while (n-- && std::cin >> x) a.push_back(x);
    long long sum = 0;
    for (int y : a) sum += y;
    std::cout << sum << '\n';
}
