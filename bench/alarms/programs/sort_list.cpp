// Sorts a std::list.
// input: array.yaml
#include <iostream>
#include <list>
int main() {
    int n, x;
    std::cin >> n;
    std::list<int> all;
    while (n-- && std::cin >> x) all.push_back(x);
    all.sort();
    all.unique();
    std::cout << all.size() << '\n';
}
