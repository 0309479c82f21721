// Counts the inversions of n numbers with a merge sort: time grows as n log n.
#include <iostream>
#include <vector>

long long count(std::vector<int>& all, std::vector<int>& room, std::size_t from, std::size_t to) {
    if (to - from < 2) return 0;
    const std::size_t middle = (from + to) / 2;
    long long found = count(all, room, from, middle) + count(all, room, middle, to);
    std::size_t left = from, right = middle;
    for (std::size_t at = from; at < to; ++at) {
        if (right == to || (left < middle && all[left] <= all[right])) {
            room[at] = all[left++];
        } else {
            found += static_cast<long long>(middle - left);
            room[at] = all[right++];
        }
    }
    for (std::size_t at = from; at < to; ++at) all[at] = room[at];
    return found;
}

int main() {
    std::size_t n = 0;
    std::cin >> n;
    std::vector<int> numbers(n), room(n);
    for (auto& number : numbers) std::cin >> number;
    std::cout << count(numbers, room, 0, n) << '\n';
}
