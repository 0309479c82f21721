#include <cstdio>
int main() {
    int n;
    scanf("%d", &n);
    long sum = 0;
    for (int i = 0, a, b; i < n; ++i) {
        scanf("%d %d", &a, &b);
        while (a != b) {
            if (a > b) a -= b;
            else b -= a;
        }
        sum += a;
    }
    printf("%ld\n", sum);
}
