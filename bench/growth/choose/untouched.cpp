// time: 1
// memory: 1
// input: size
// sizes: default
// n_max: 100000
// note: 4000 bytes per element are asked for and never touched, so they are not resident.
#include <cstdio>
#include <cstdlib>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    int* table = (int*)calloc(n + 1, 4000);
    if (!table) return 1;
    table[0] = n;
    printf("%d\n", table[0] % 7);
    free(table);
}
