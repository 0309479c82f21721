// Clears 40 MB of static memory, whatever n is.
#include <cstdio>
#include <cstring>
static int table[10000000];
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    memset(table, 0x3f, sizeof table);
    for (int i = 1; i <= n; ++i) table[i] = table[i / 2] + 1;
    printf("%d\n", table[n]);
}
