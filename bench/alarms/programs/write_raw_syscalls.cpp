// Writes blocks of 4 KiB with write().
#include <cstdio>
#include <cstring>
#include <unistd.h>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    char block[4096];
    memset(block, 'z', sizeof block);
    block[4095] = '\n';
    for (int i = 0; i < n / 40; ++i)
        if (write(1, block, sizeof block) < 0) return 1;
}
