// Finds all places of a pattern by the prefix function.
// input: find.yaml
#include <iostream>
#include <string>
#include <vector>
int main() {
    std::string text, word;
    std::cin >> text >> word;
    std::string s = word + '#' + text;
    std::vector<int> border(s.size());
    int found = 0;
    for (size_t i = 1; i < s.size(); ++i) {
        int k = border[i - 1];
        while (k && s[i] != s[k]) k = border[k - 1];
        border[i] = k + (s[i] == s[k]);
        found += border[i] == (int)word.size();
    }
    std::cout << found << '\n';
}
