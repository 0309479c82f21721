// Allocates n arrays and frees none.
#include <cstdio>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    long long sum = 0;
    for (int i = 0; i < n; ++i) {
        int *block = new int[16];
        block[i % 16] = i;
        sum += block[i % 16];
    }
    printf("%lld\n", sum);
}
