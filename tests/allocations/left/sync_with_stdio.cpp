// The standard streams get buffers of their own, which nobody frees.
#include <iostream>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    std::cout << "sync\n";
}
