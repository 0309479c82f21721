#include <cstdio>
#include <cstring>
char s[1 << 20];
int main() {
    scanf("%s", s);
    int n = strlen(s), borders = 0;
    for (int length = 1; length < n; ++length) {
        int j = 0;
        while (j < length && s[j] == s[n - length + j]) ++j;
        borders += j == length;
    }
    printf("%d\n", borders);
}
