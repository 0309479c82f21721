// Reads lines into a buffer by fgets.
// input: words.yaml
#include <cstdio>
#include <cstring>
int main() {
    char line[64];
    long letters = 0, longest = 0;
    while (fgets(line, sizeof line, stdin)) {
        long length = strcspn(line, "\n");
        letters += length;
        if (length > longest) longest = length;
    }
    printf("%ld %ld\n", letters, longest);
}
