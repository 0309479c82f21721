// time: φⁿ
// memory: 1 | n
// input: size
// sizes: 1,5,10,15,20,25,30,33,36,38
// n_max: 38
#include <iostream>
int fib(int n) {
    if (n < 2) return n;
    return fib(n - 1) + fib(n - 2);
}
int main() {
    int n;
    std::cin >> n;
    std::cout << fib(n) << std::endl;
}
