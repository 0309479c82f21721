#include <concepts>
#include <ranges>
#include <vector>
template <class T> concept Small = sizeof(T) < 4;
int main() {
    std::vector<int> v{3, 1, 2};
    for (int x : v | std::views::reverse) (void)x;
    std::ranges::sort(v);
    auto order = 1 <=> 2;
}
