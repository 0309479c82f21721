// Picks its hash's multiplier with random_device; the answer does not depend on it.
// input: array.yaml
// varies: work
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    unsigned long long multiplier = random_device{}() | 1ull;
    size_t room = 1;
    while (room < 2 * size_t(n) + 2) room *= 2;
    vector<int> table(room, -1);
    int distinct = 0;
    for (int i = 0, x; i < n; ++i) {
        scanf("%d", &x);
        size_t at = (x * multiplier * 0x9e3779b97f4a7c15ull >> 20) & (room - 1);
        while (table[at] != -1 && table[at] != x) at = (at + 1) & (room - 1);
        if (table[at] == -1) table[at] = x, ++distinct;
    }
    printf("%d\n", distinct);
}
