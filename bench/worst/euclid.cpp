#include <cstdio>
int main() {
    long n, a, b, sum = 0;
    scanf("%ld %ld %ld", &n, &a, &b);
    for (int i = 0; i < n; ++i) {
        long x = a, y = b;
        while (y) {
            long rest = x % y;
            x = y, y = rest;
        }
        sum += x;
    }
    printf("%ld\n", sum);
}
