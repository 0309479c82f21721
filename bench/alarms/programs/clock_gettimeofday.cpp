// Calls gettimeofday twice, and prints only whether time went on.
// varies: work
#include <cstdio>
#include <sys/time.h>
int main() {
    timeval begun, ended;
    gettimeofday(&begun, nullptr);
    int n;
    if (scanf("%d", &n) != 1) return 1;
    long long sum = 0;
    for (int i = 1; i <= n; ++i) sum += n / i;
    gettimeofday(&ended, nullptr);
    printf("%lld %d\n", sum, ended.tv_sec >= begun.tv_sec);
}
