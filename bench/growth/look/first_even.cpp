// time: 1
// memory: 1
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
// note: It stops at the first even number.
#include <cstdio>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 0;
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        if (x % 2 == 0) {
            printf("%d %d\n", i, x);
            return 0;
        }
    }
    puts("none");
}
