// expects: nothing
#include <iostream>
#include <string>
#include <unordered_map>
#include <vector>

int weight(const std::string& word) {
    int sum = 0;
    for (char letter : word) sum += letter;
    return sum;
}

int main() {
    int n;
    std::cin >> n;
    std::vector<std::string> words(n);
    for (int i = 0; i < n; ++i) words[i] = "word" + std::to_string(i * 7919LL % 100003);
    std::unordered_map<int, int> counts;
    counts.reserve(1000);
    for (const auto& word : words) ++counts[weight(word)];
    int most = 0;
    for (const auto& entry : counts) most = std::max(most, entry.second);
    std::cout << most << '\n';
}
