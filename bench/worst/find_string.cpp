#include <cstdio>
char text[1 << 20], word[1 << 20];
int main() {
    scanf("%s %s", text, word);
    int found = 0;
    for (int i = 0; text[i]; ++i) {
        int j = 0;
        while (word[j] && text[i + j] == word[j]) ++j;
        found += !word[j];
    }
    printf("%d\n", found);
}
