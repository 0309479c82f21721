// A vector that is never destroyed, with strings that have blocks of their own.
#include <string>
#include <vector>

std::vector<std::string>& names = *new std::vector<std::string>;

int main() {
    for (int i = 0; i < 20; ++i) names.emplace_back(100, 'x');
    return names.size() == 20 ? 0 : 1;
}
