// Finds the first letter that repeats, which comes within 27 letters.
// input: string.yaml
#include <iostream>
#include <string>
int main() {
    std::string s;
    std::cin >> s;
    bool seen[256] = {};
    for (unsigned char c : s) {
        if (seen[c]) return std::cout << c << '\n', 0;
        seen[c] = true;
    }
    std::cout << "none\n";
}
