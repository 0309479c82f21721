// Writes lines of 100 bytes: 10 MB at n = 100000.
#include <cstdio>
#include <cstring>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    char line[101];
    memset(line, 'x', 99);
    line[99] = '\n', line[100] = 0;
    for (int i = 0; i < n; ++i) {
        line[i % 99] = char('a' + i % 26);
        fputs(line, stdout);
    }
}
