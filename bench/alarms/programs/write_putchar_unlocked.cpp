// Writes n characters, one at a time.
#include <cstdio>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; ++i) putchar_unlocked('a' + i % 26);
    putchar_unlocked('\n');
}
