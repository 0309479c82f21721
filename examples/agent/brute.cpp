// Counts the inversions of n numbers as the task defines them.
#include <iostream>
#include <vector>

int main() {
    int n = 0;
    std::cin >> n;
    std::vector<int> numbers(n);
    for (int& number : numbers) std::cin >> number;
    long long inversions = 0;
    for (int right = 0; right < n; ++right) {
        for (int left = 0; left < right; ++left) {
            if (numbers[left] > numbers[right]) ++inversions;
        }
    }
    std::cout << inversions << '\n';
}
