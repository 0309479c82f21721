#include <cstdio>
char text[1 << 20], words[3][8];
bool split(const char *rest) {
    if (!*rest) return true;
    for (const char *word : words) {
        int i = 0;
        while (word[i] && word[i] == rest[i]) ++i;
        if (!word[i] && split(rest + i)) return true;
    }
    return false;
}
int main() {
    scanf("%s %s %s %s", text, words[0], words[1], words[2]);
    puts(split(text) ? "yes" : "no");
}
