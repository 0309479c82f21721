// Sorts by bytes, with four passes.
// input: array.yaml
#include <cstdio>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<unsigned> a(n), b(n);
    for (auto &x : a)
        if (scanf("%u", &x) != 1) return 1;
    for (int shift = 0; shift < 32; shift += 8) {
        int counts[257] = {};
        for (unsigned x : a) ++counts[(x >> shift & 255) + 1];
        for (int i = 0; i < 256; ++i) counts[i + 1] += counts[i];
        for (unsigned x : a) b[counts[x >> shift & 255]++] = x;
        a.swap(b);
    }
    printf("%u\n", n ? a[n / 3] : 0);
}
