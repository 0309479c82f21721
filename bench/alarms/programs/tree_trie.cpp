// Counts distinct prefixes with a trie in an array.
// input: words.yaml
#include <cstdio>
#include <vector>
struct Node { int next[26] = {}; };
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<Node> trie(1);
    char word[32];
    while (n-- > 0 && scanf("%31s", word) == 1) {
        int at = 0;
        for (char *c = word; *c; ++c) {
            int letter = (*c - 'a' + 26) % 26;
            if (!trie[at].next[letter]) {
                int fresh = trie.size();
                trie.emplace_back();
                trie[at].next[letter] = fresh;
            }
            at = trie[at].next[letter];
        }
    }
    printf("%zu\n", trie.size());
}
