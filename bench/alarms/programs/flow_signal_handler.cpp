// Installs a handler that no signal reaches, as some templates do.
#include <csignal>
#include <cstdio>
#include <cstdlib>
int main() {
    signal(SIGSEGV, [](int) { _Exit(0); });
    int n;
    if (scanf("%d", &n) != 1) return 1;
    long sum = 0;
    for (int i = 0; i < n; ++i) sum += i & 5;
    printf("%ld\n", sum);
}
