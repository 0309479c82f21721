// Counts inversions by a Fenwick tree.
// input: permutation.yaml
#include <iostream>
#include <vector>
int main() {
    int n;
    std::cin >> n;
    std::vector<int> tree(n + 1);
    long long found = 0;
    for (int i = 0, x; i < n; ++i) {
        std::cin >> x;
        int seen = 0;
        for (int at = x; at > 0; at -= at & -at) seen += tree[at];
        found += i - seen;
        for (int at = x; at <= n; at += at & -at) ++tree[at];
    }
    std::cout << found << '\n';
}
