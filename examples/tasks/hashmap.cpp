// Counts how often each key comes, in a std::unordered_map.
// To see: linear, unless all keys are multiples of the number of buckets: then quadratic.
#include <cstdio>
#include <unordered_map>

int main() {
    int n = 0, x = 0, most = 0;
    if (std::scanf("%d", &n) != 1) return 1;
    std::unordered_map<int, int> counts;
    while (n-- > 0) {
        if (std::scanf("%d", &x) != 1) return 1;
        int count = ++counts[x];
        most = count > most ? count : most;
    }
    std::printf("%d %zu\n", most, counts.size());
}
