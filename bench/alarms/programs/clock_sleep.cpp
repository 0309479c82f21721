// Sleeps for 2 ms before it answers.
#include <chrono>
#include <iostream>
#include <thread>
int main() {
    int n;
    std::cin >> n;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::cout << n * 2ll << '\n';
}
