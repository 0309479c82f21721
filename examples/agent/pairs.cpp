// Counts the inversions of n numbers: pairs whose first number is larger. It is slow, and wrong.
#include <iostream>
#include <vector>

int main() {
    std::size_t n = 0;
    std::cin >> n;
    std::vector<int> numbers(n);
    for (auto& number : numbers) std::cin >> number;
    long long inversions = 0;
    for (std::size_t left = 0; left < n; ++left) {
        for (std::size_t right = left + 1; right < n; ++right) {
            inversions += numbers[left] >= numbers[right];
        }
    }
    std::cout << inversions << '\n';
}
