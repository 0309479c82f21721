// expects: line 14
// fix 14: text += letter;
#include <iostream>
#include <string>

int main() {
    int n;
    std::cin >> n;
    std::string text;
    unsigned state = 5;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        char letter = 'a' + (state >> 20) % 26;
        text = text + letter;
    }
    long long pairs = 0;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == text[i - 1]) ++pairs;
    }
    std::cout << pairs << '\n';
}
