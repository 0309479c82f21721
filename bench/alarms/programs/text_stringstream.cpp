// Formats and parses each number by a stringstream.
// input: array.yaml
#include <iostream>
#include <sstream>
int main() {
    int n, x;
    std::cin >> n;
    long long sum = 0;
    while (n-- && std::cin >> x) {
        std::stringstream text;
        text << std::hex << x;
        long long back;
        text >> back;
        sum += back % 16;
    }
    std::cout << sum << '\n';
}
