// Counts words in a map of strings.
// input: words.yaml
#include <iostream>
#include <map>
#include <string>
int main() {
    int n;
    std::cin >> n;
    std::map<std::string, int> counts;
    for (std::string word; n-- && std::cin >> word;) ++counts[word.substr(0, 3)];
    int best = 0;
    for (auto &[word, count] : counts) best = std::max(best, count);
    std::cout << counts.size() << ' ' << best << '\n';
}
