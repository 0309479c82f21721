// Finds the longest rising subsequence by binary search.
// input: permutation.yaml
#include <algorithm>
#include <cstdio>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<int> ends;
    for (int x; n-- > 0 && scanf("%d", &x) == 1;) {
        auto at = std::lower_bound(ends.begin(), ends.end(), x);
        if (at == ends.end()) ends.push_back(x);
        else *at = x;
    }
    printf("%zu\n", ends.size());
}
