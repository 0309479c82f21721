// time: 1
// memory: 1
// input: ../inputs/few.yaml
// sizes: default
// n_max: 100000
// note: A duplicate among 1000 values comes after about 40 numbers.
#include <iostream>
#include <set>
int main() {
    int n;
    std::cin >> n;
    std::set<int> seen;
    for (int i = 0; i < n; i++) {
        int x;
        std::cin >> x;
        if (!seen.insert(x).second) {
            std::cout << i << '\n';
            return 0;
        }
    }
    std::cout << -1 << '\n';
}
