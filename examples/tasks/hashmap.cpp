// Counts the occurrences of each key in a std::unordered_map. What to see: linear time, but
// quadratic if all keys are multiples of the number of buckets.
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
