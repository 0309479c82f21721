// Recurs n deep with a frame of some hundred bytes.
#include <iostream>
int deep(int n) {
    volatile char frame[200];
    frame[n % 200] = char(n);
    return n ? deep(n - 1) + frame[n % 200] % 2 : 0;
}
int main() {
    int n;
    std::cin >> n;
    std::cout << deep(n) << '\n';
}
