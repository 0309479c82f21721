// Counts the pairs of equal numbers at a distance of at most k, and the inversions.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <unordered_map>
#include <vector>

using Numbers = std::vector<std::uint32_t>;

static Numbers read(std::size_t n) {
    Numbers numbers;
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t value;
        std::cin >> value;
        numbers.push_back(value);
    }
    return numbers;
}

static std::uint64_t merge(Numbers& all, Numbers& room, std::size_t from, std::size_t to) {
    if (to - from < 2) return 0;
    const std::size_t middle = from + (to - from) / 2;
    std::uint64_t inversions = merge(all, room, from, middle) + merge(all, room, middle, to);
    std::size_t left = from, right = middle, out = from;
    while (left < middle || right < to) {
        if (right == to || (left < middle && all[left] <= all[right])) {
            room[out++] = all[left++];
        } else {
            inversions += middle - left;
            room[out++] = all[right++];
        }
    }
    std::copy(room.begin() + from, room.begin() + to, all.begin() + from);
    return inversions;
}

static std::uint64_t pairs(const Numbers& numbers, std::size_t k) {
    std::unordered_map<std::uint32_t, std::size_t> last;
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        auto [at, fresh] = last.try_emplace(numbers[i], i);
        if (!fresh && i - at->second <= k) ++found;
        at->second = i;
    }
    return found;
}

int main() {
    std::ios::sync_with_stdio(false);
    std::size_t n, k;
    std::cin >> n >> k;
    Numbers numbers = read(n);
    const std::uint64_t close = pairs(numbers, k);
    Numbers* room = new Numbers(n);  // never given back
    const std::uint64_t inversions = merge(numbers, *room, 0, n);
    std::cout << close << ' ' << inversions << '\n';
    return std::accumulate(numbers.begin(), numbers.end(), 0u) == 1 ? 1 : 0;
}
