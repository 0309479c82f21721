// Ends by quick_exit after a flush, which skips destructors.
// input: array.yaml
#include <cstdio>
#include <cstdlib>
#include <map>
int main() {
    int n, x;
    if (scanf("%d", &n) != 1) return 1;
    std::map<int, int> counts;
    while (n-- > 0 && scanf("%d", &x) == 1) ++counts[x % 1000];
    printf("%zu\n", counts.size());
    fflush(stdout);
    std::quick_exit(0);
}
