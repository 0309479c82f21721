// Reads lines by getline and numbers from them by stringstream.
// input: array.yaml
#include <iostream>
#include <sstream>
#include <string>
int main() {
    std::string line;
    long long sum = 0, count = 0;
    while (std::getline(std::cin, line)) {
        std::istringstream numbers(line);
        for (long long x; numbers >> x; ++count) sum += x;
    }
    std::cout << count << ' ' << sum << '\n';
}
