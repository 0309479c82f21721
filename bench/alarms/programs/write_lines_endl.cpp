// Writes n numbers, each with a flush by endl.
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    for (int i = 0; i < n; ++i) std::cout << i << std::endl;
}
