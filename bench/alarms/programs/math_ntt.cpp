// Multiplies polynomials modulo 998244353.
// input: few.yaml
#include <cstdio>
#include <utility>
#include <vector>
const unsigned long long P = 998244353;
unsigned long long power(unsigned long long b, unsigned long long e) {
    unsigned long long r = 1;
    for (; e; e /= 2, b = b * b % P)
        if (e & 1) r = r * b % P;
    return r;
}
void transform(std::vector<unsigned long long> &a, bool inverse) {
    size_t n = a.size();
    for (size_t i = 1, j = 0; i < n; ++i) {
        size_t bit = n / 2;
        for (; j & bit; bit /= 2) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(a[i], a[j]);
    }
    for (size_t length = 2; length <= n; length *= 2) {
        unsigned long long step = power(3, (P - 1) / length);
        if (inverse) step = power(step, P - 2);
        for (size_t i = 0; i < n; i += length) {
            unsigned long long turn = 1;
            for (size_t j = 0; j < length / 2; ++j, turn = turn * step % P) {
                auto u = a[i + j], v = a[i + j + length / 2] * turn % P;
                a[i + j] = (u + v) % P, a[i + j + length / 2] = (u + P - v) % P;
            }
        }
    }
}
int main() {
    size_t n, size = 1;
    if (scanf("%zu", &n) != 1) return 1;
    while (size < 2 * n) size *= 2;
    std::vector<unsigned long long> a(size);
    for (size_t i = 0; i < n; ++i)
        if (scanf("%llu", &a[i]) != 1) return 1;
    transform(a, false);
    for (auto &x : a) x = x * x % P;
    transform(a, true);
    printf("%llu\n", a[n / 2] * power(size, P - 2) % P);
}
