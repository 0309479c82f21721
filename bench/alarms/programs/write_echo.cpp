// Writes the sorted words of its input.
// input: words.yaml
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    std::cin >> n;
    std::vector<std::string> words(n);
    for (auto &word : words) std::cin >> word;
    std::sort(words.begin(), words.end());
    for (auto &word : words) std::cout << word << '\n';
}
