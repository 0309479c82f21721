// time: n
// memory: 1
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
int main() {
    int n;
    scanf("%d", &n);
    int low = INT_MAX, high = INT_MIN;
    while (n--) {
        int x;
        scanf("%d", &x);
        low = std::min(low, x);
        high = std::max(high, x);
    }
    printf("%d %d\n", low, high);
}
