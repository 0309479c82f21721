// Counts distinct substrings of eight letters by a rolling hash.
// input: string.yaml
#include <iostream>
#include <string>
#include <unordered_set>
int main() {
    std::string s;
    std::cin >> s;
    unsigned long long hash = 0, top = 1;
    for (int i = 0; i < 8; ++i) top *= 131;
    std::unordered_set<unsigned long long> seen;
    for (size_t i = 0; i < s.size(); ++i) {
        hash = hash * 131 + s[i];
        if (i >= 8) hash -= top * s[i - 8];
        if (i >= 7) seen.insert(hash);
    }
    std::cout << seen.size() << '\n';
}
