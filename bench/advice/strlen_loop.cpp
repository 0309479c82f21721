// expects: line 19
// fix 19: for (size_t i = 0, length = strlen(text); i < length; i++) {
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    char *text = (char *)malloc(n + 1);
    unsigned state = 17;
    for (int i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = 'a' + (state >> 24) % 26;
    }
    text[n] = '\0';
    int changed = 0;
    for (size_t i = 0; i < strlen(text); i++) {
        if (i == 0 || text[i - 1] < text[i]) {
            text[i] = toupper(text[i]);
            changed++;
        }
    }
    printf("%d %c\n", changed, text[n / 2]);
    free(text);
    return 0;
}
