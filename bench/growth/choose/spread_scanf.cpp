// time: n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n;
    scanf("%d", &n);
    std::vector<long long> a(n);
    for (auto& x : a) scanf("%lld", &x);
    if (n == 0) {
        puts("0");
        return 0;
    }
    auto ends = std::minmax_element(a.begin(), a.end());
    printf("%lld\n", *ends.second - *ends.first);
}
