// Multiplies a factorial by hand in base 10^9.
// sizes: 100,500,1000,2000
#include <cstdio>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<unsigned> digits{1};
    for (int i = 2; i <= n; ++i) {
        unsigned long long carry = 0;
        for (auto &d : digits) carry += 1ull * d * i, d = carry % 1000000000, carry /= 1000000000;
        if (carry) digits.push_back(carry);
    }
    printf("%u", digits.back());
    for (size_t i = digits.size() - 1; i-- > 0;) printf("%09u", digits[i]);
    puts("");
}
