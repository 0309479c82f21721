// Reads with scanf and finds the maximum and its first place.
// input: array.yaml
#include <cstdio>
int main() {
    int n, x, best = -1, at = -1;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; ++i)
        if (scanf("%d", &x) == 1 && x > best) best = x, at = i;
    printf("%d %d\n", best, at);
}
