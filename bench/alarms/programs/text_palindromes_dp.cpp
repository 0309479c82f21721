// Counts palindromic substrings by a quadratic table of bits.
// input: strings.yaml
// sizes: 100,500,1000,2000
#include <bitset>
#include <iostream>
#include <string>
#include <vector>
int main() {
    std::string s;
    std::cin >> s;
    int n = s.size(), found = 0;
    std::vector<std::vector<bool>> is(n + 1, std::vector<bool>(n + 1, true));
    for (int i = n - 1; i >= 0; --i)
        for (int j = i; j < n; ++j)
            found += is[i][j] = s[i] == s[j] && (j - i < 2 || is[i + 1][j - 1]);
    std::cout << found << '\n';
}
