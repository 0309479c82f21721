// Writes every permutation of n digits.
// sizes: 3,5,7,8
#include <algorithm>
#include <iostream>
#include <string>
int main() {
    int n;
    std::cin >> n;
    std::string digits = std::string("123456789").substr(0, n);
    do std::cout << digits << '\n';
    while (std::next_permutation(digits.begin(), digits.end()));
}
