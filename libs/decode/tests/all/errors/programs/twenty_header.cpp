#include <span>
#include <vector>
int main() {
    std::vector<int> v;
    std::span<int> s(v);
}
