// Takes its table from mmap and gives it back.
#include <cstdio>
#include <sys/mman.h>
int main() {
    size_t n;
    if (scanf("%zu", &n) != 1) return 1;
    size_t bytes = (n + 1) * 64;
    void *block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return 1;
    char *table = static_cast<char *>(block);
    for (size_t i = 0; i < bytes; i += 64) table[i] = char(i / 64);
    long sum = 0;
    for (size_t i = 0; i < bytes; i += 64) sum += table[i];
    munmap(block, bytes);
    printf("%ld\n", sum);
}
