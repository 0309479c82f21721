// Solves several cases in one input; a case's answer is its number of distinct values. What to see:
// the table is cleared for every case, so many small cases cost cases × 200,000 and not n.
#include <cstdio>
#include <cstring>

static bool seen[200001];

int main() {
    int t = 0;
    if (std::scanf("%d", &t) != 1) return 1;
    while (t-- > 0) {
        int n, x, distinct = 0;
        if (std::scanf("%d", &n) != 1) return 1;
        std::memset(seen, 0, sizeof seen);
        while (n-- > 0) {
            if (std::scanf("%d", &x) != 1) return 1;
            distinct += !seen[x];
            seen[x] = true;
        }
        std::printf("%d\n", distinct);
    }
}
