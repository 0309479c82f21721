// Stops reading at the first number that is smaller than the one before.
// input: array.yaml
#include <cstdio>
int main() {
    int n, x, before = -1, i = 0;
    if (scanf("%d", &n) != 1) return 1;
    for (; i < n && scanf("%d", &x) == 1 && x >= before; ++i) before = x;
    printf("%d\n", i);
}
