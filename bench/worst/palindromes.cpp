#include <cstdio>
#include <cstring>
char s[1 << 20];
int main() {
    scanf("%s", s);
    int n = strlen(s);
    long found = 0;
    for (int middle = 0; middle < 2 * n; ++middle) {
        int i = middle / 2, j = (middle + 1) / 2;
        while (i >= 0 && j < n && s[i] == s[j]) --i, ++j, ++found;
    }
    printf("%ld\n", found);
}
