// Grows a buffer by realloc and fills it.
#include <cstdio>
#include <cstdlib>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    size_t room = 16, used = 0;
    long *values = static_cast<long *>(malloc(room * sizeof(long)));
    for (int i = 0; i < 20 * n; ++i) {
        if (used == room) values = static_cast<long *>(realloc(values, (room *= 2) * sizeof(long)));
        if (!values) return 1;
        values[used++] = i;
    }
    printf("%ld\n", used ? values[used - 1] : -1);
    free(values);
}
