// time: n log n
// memory: n
// input: ../inputs/sorted.yaml
// sizes: default
// n_max: 100000
// note: The input is sorted; each element's partner is found by binary search.
#include <cstdio>
#include <vector>
#include <algorithm>
static char buf[1 << 16];
static size_t len = 0, pos = 0;
static int next() {
    if (pos == len) {
        len = fread(buf, 1, sizeof buf, stdin);
        pos = 0;
        if (len == 0) return -1;
    }
    return buf[pos++];
}
static int readInt() {
    int c = next(), x = 0;
    while (c != -1 && c < '0') c = next();
    for (; c >= '0'; c = next()) x = 10 * x + c - '0';
    return x;
}
int main() {
    int n = readInt();
    std::vector<int> a(n);
    for (int& x : a) x = readInt();
    long long pairs = 0;
    for (int i = 0; i < n; i++) {
        int wanted = 1000000000 - a[(long long)i * 48271 % n];
        pairs += std::upper_bound(a.begin(), a.end(), wanted) - a.begin();
    }
    printf("%lld\n", pairs);
}
