// Reads its input, then seeks back if it can, and reads it again.
// input: array.yaml
#include <cstdio>
int main() {
    long sums[2] = {};
    for (long &sum : sums) {
        for (long x; scanf("%ld", &x) == 1;) sum += x;
        clearerr(stdin);
        if (fseek(stdin, 0, SEEK_SET) != 0) break;
    }
    printf("%d\n", sums[1] == 0 || sums[0] == sums[1]);
}
