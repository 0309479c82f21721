// time: n
// memory: 1
// input: size
// sizes: auto
// n_max: 10000000
#include <cstdio>
int main() {
    int n, k = 7;
    scanf("%d", &n);
    long long survivor = 0;
    for (int i = 2; i <= n; i++) survivor = (survivor + k) % i;
    printf("%lld\n", survivor + 1);
}
