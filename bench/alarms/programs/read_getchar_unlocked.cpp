// Reads numbers by getchar_unlocked.
// input: array.yaml
#include <cstdio>
static long number() {
    int c = getchar_unlocked();
    while (c != EOF && (c < '0' || c > '9')) c = getchar_unlocked();
    long x = 0;
    for (; c >= '0' && c <= '9'; c = getchar_unlocked()) x = x * 10 + c - '0';
    return x;
}
int main() {
    long n = number(), sum = 0;
    for (long i = 0; i < n; ++i) sum += number() % 1009;
    printf("%ld\n", sum);
}
