// Reads all of its input by one fread into a static buffer.
// input: array.yaml
#include <cstdio>
#include <cstdlib>
static char text[1 << 22];
int main() {
    text[fread(text, 1, sizeof text - 1, stdin)] = 0;
    char *at = text;
    long n = strtol(at, &at, 10), sum = 0;
    for (long i = 0; i < n; ++i) sum += strtol(at, &at, 10) & 255;
    printf("%ld\n", sum);
}
