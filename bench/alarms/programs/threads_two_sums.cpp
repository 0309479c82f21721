// Adds up halves in two threads.
// varies: work
#include <cstdio>
#include <thread>
int main() {
    long n, left = 0, right = 0;
    if (scanf("%ld", &n) != 1) return 1;
    std::thread other([&] {
        for (long i = 0; i < n / 2; ++i) left += i % 7;
    });
    for (long i = n / 2; i < n; ++i) right += i % 7;
    other.join();
    printf("%ld\n", left + right);
}
