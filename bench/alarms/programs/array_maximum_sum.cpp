// Finds the greatest sum of neighbours.
// input: signed.yaml
#include <algorithm>
#include <cstdio>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    long long best = 0, here = 0;
    for (int x; n-- > 0 && scanf("%d", &x) == 1;)
        here = std::max(0ll, here + x), best = std::max(best, here);
    printf("%lld\n", best);
}
