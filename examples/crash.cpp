// Ends with a segmentation fault from n = 10000 on, so that its larger sizes are infinite.
// Reads n from stdin.
#include <cstddef>
#include <iostream>
#include <vector>

int main() {
    constexpr std::size_t first_bad_n = 10000;
    std::size_t n = 0;
    std::cin >> n;
    std::vector<int> numbers(n, 1);
    if (n >= first_bad_n) {
        std::cerr << "n = " << n << ": about to write through a null pointer" << std::endl;
        volatile int* nowhere = nullptr;
        *nowhere = 1;
    }
    long long sum = 0;
    for (int number : numbers) {
        sum += number;
    }
    std::cout << sum << '\n';
}
