// Reads descriptor 0 with read().
// input: array.yaml
#include <cstdio>
#include <unistd.h>
int main() {
    char block[4096];
    long lines = 0, bytes = 0;
    for (ssize_t got; (got = read(0, block, sizeof block)) > 0; bytes += got)
        for (ssize_t i = 0; i < got; ++i) lines += block[i] == '\n';
    printf("%ld %ld\n", lines, bytes);
}
