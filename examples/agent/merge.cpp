// Counts the inversions of n numbers with a merge sort: time grows as n log n. The numbers are those
// of quadratic.cpp.
#include <cstdint>
#include <iostream>
#include <vector>

std::uint64_t count(std::vector<std::uint32_t>& all, std::vector<std::uint32_t>& room,
                    std::size_t from, std::size_t to) {
    if (to - from < 2) return 0;
    const std::size_t middle = (from + to) / 2;
    std::uint64_t found = count(all, room, from, middle) + count(all, room, middle, to);
    std::size_t left = from, right = middle;
    for (std::size_t at = from; at < to; ++at) {
        if (right == to || (left < middle && all[left] <= all[right])) {
            room[at] = all[left++];
        } else {
            found += middle - left;
            room[at] = all[right++];
        }
    }
    for (std::size_t at = from; at < to; ++at) all[at] = room[at];
    return found;
}

int main() {
    std::size_t n = 0;
    std::cin >> n;
    std::vector<std::uint32_t> numbers(n), room(n);
    std::uint64_t state = 42;
    for (auto& number : numbers) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        number = static_cast<std::uint32_t>(state >> 33);
    }
    std::cout << count(numbers, room, 0, n) << '\n';
}
