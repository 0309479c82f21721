// Builds strings by concatenation and replaces letters.
// input: words.yaml
#include <algorithm>
#include <iostream>
#include <string>
int main() {
    int n;
    std::cin >> n;
    std::string all, word;
    for (int i = 0; i < n && std::cin >> word; ++i) {
        std::reverse(word.begin(), word.end());
        all += word + "-" + std::to_string(i);
        if (all.size() > 10000) all.erase(0, 5000);
    }
    std::cout << std::count(all.begin(), all.end(), '-') << '\n';
}
