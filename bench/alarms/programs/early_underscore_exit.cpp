// Ends by _exit after its own write, which skips handlers and destructors.
#include <cstdio>
#include <unistd.h>
int main() {
    long n, sum = 0;
    if (scanf("%ld", &n) != 1) return 1;
    for (long i = 0; i < n; ++i) sum += i % 17;
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", sum);
    if (write(1, text, length) != length) return 1;
    _exit(0);
}
