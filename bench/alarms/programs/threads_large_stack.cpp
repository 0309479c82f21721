// Solves in a thread with a stack of 64 MiB, as is usual for deep recursion.
// varies: work
#include <cstdio>
#include <pthread.h>
static long n, answer;
static long deep(long k) { return k ? 1 + deep(k - 1) % 1000003 : 0; }
static void *solve(void *) {
    answer = deep(n);
    return nullptr;
}
int main() {
    if (scanf("%ld", &n) != 1) return 1;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 20);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, solve, nullptr)) return 1;
    pthread_join(thread, nullptr);
    printf("%ld\n", answer);
}
