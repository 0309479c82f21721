// Reads blocks of 64 KiB and counts digits.
// input: array.yaml
#include <cstdio>
int main() {
    static char block[1 << 16];
    long counts[10] = {};
    for (size_t got; (got = fread(block, 1, sizeof block, stdin)) > 0;)
        for (size_t i = 0; i < got; ++i)
            if (block[i] >= '0' && block[i] <= '9') ++counts[block[i] - '0'];
    for (long count : counts) printf("%ld ", count);
    puts("");
}
