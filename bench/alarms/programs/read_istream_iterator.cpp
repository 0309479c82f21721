// Reads with istream_iterator into a multiset.
// input: array.yaml
#include <iostream>
#include <iterator>
#include <set>
int main() {
    int n;
    std::cin >> n;
    std::multiset<int> all(std::istream_iterator<int>(std::cin), {});
    long long gap = 0, before = all.empty() ? 0 : *all.begin();
    for (int x : all) gap = std::max(gap, x - before), before = x;
    std::cout << gap << '\n';
}
