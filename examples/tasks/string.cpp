// Finds the longest palindrome in a string by growing one around each centre. What to see: random
// text is linear; a single repeated letter is quadratic.
#include <algorithm>
#include <iostream>
#include <string>

int main() {
    std::ios::sync_with_stdio(false);
    std::string s;
    std::cin >> s;
    int n = static_cast<int>(s.size()), best = 0;
    for (int centre = 0; centre < 2 * n - 1; ++centre) {
        int left = centre / 2, right = (centre + 1) / 2;
        while (left >= 0 && right < n && s[left] == s[right]) --left, ++right;
        best = std::max(best, right - left - 1);
    }
    std::cout << best << '\n';
}
