// Computes, and prints nothing.
#include <cstdio>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    volatile unsigned x = 1;
    for (int i = 0; i < n; ++i) x = x * 3 + 1;
}
