// time: n log n
// memory: n
// input: size
// sizes: auto
// n_max: 2000000
// note: It makes its own numbers.
#include <cstdio>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 0;
    std::vector<int> tree(n + 1);
    unsigned long long state = 12345;
    long long inversions = 0;
    for (int i = 0; i < n; i++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        int x = (int)((state >> 33) % n) + 1;
        int before = 0;
        for (int j = x; j > 0; j -= j & -j) before += tree[j];
        inversions += i - before;
        for (int j = x; j <= n; j += j & -j) tree[j]++;
    }
    printf("%lld\n", inversions);
}
