// Calls a recursive lambda through std::function.
// sizes: 5,10,20,25
#include <functional>
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    std::function<long(int)> fib = [&](int k) { return k < 2 ? k : fib(k - 1) + fib(k - 2); };
    std::cout << fib(n) << '\n';
}
