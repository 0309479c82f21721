// Writes n lines with printf.
#include <cstdio>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; ++i) printf("%d %d\n", i, i * 7 % 1000);
}
