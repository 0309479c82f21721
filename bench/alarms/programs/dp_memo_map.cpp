// Counts the steps of Collatz sequences with a memory in a map.
#include <cstdio>
#include <unordered_map>
static std::unordered_map<long long, int> known;
int steps(long long x) {
    if (x == 1) return 0;
    auto found = known.find(x);
    if (found != known.end()) return found->second;
    int count = 1 + steps(x % 2 ? 3 * x + 1 : x / 2);
    return known[x] = count;
}
int main() {
    int n, best = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 1; i <= n; ++i) best = steps(i) > steps(best ? best : 1) ? i : best;
    printf("%d\n", best);
}
