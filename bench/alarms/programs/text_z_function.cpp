// Adds up the Z function.
// input: string.yaml
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>
static char s[1 << 20];
int main() {
    if (scanf("%1048575s", s) != 1) s[0] = 0;
    int n = strlen(s), l = 0, r = 0;
    std::vector<int> z(n);
    long long sum = 0;
    for (int i = 1; i < n; ++i) {
        if (i < r) z[i] = std::min(r - i, z[i - l]);
        while (i + z[i] < n && s[z[i]] == s[i + z[i]]) ++z[i];
        if (i + z[i] > r) l = i, r = i + z[i];
        sum += z[i];
    }
    printf("%lld\n", sum);
}
