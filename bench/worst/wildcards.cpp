#include <cstdio>
char pattern[100], text[1 << 20];
bool match(const char *p, const char *t) {
    if (!*p) return !*t;
    if (*p == '*') return match(p + 1, t) || (*t && match(p, t + 1));
    return *p == *t && match(p + 1, t + 1);
}
int main() {
    scanf("%s %s", pattern, text);
    puts(match(pattern, text) ? "yes" : "no");
}
