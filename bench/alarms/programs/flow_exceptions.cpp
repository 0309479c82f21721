// Throws and catches an exception for each third number.
// input: array.yaml
// sizes: 100,1000,5000,20000
#include <iostream>
#include <stdexcept>
int checked(int x) {
    if (x % 3 == 0) throw std::invalid_argument("a multiple of three");
    return x % 10;
}
int main() {
    int n, x, sum = 0, refused = 0;
    std::cin >> n;
    while (n-- && std::cin >> x) {
        try {
            sum += checked(x);
        } catch (const std::exception &) {
            ++refused;
        }
    }
    std::cout << sum << ' ' << refused << '\n';
}
