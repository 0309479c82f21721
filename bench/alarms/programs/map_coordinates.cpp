// Compresses coordinates by sort, unique and lower_bound.
// input: array.yaml
#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<int> a(n);
    for (int &x : a)
        if (scanf("%d", &x) != 1) return 1;
    std::vector<int> all = a;
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    long long sum = 0;
    for (int i = 0; i < n; ++i)
        sum += (i + 1ll) * (std::lower_bound(all.begin(), all.end(), a[i]) - all.begin()) % 997;
    printf("%lld\n", sum);
}
