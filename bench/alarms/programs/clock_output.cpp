// Prints the time of day: honest output that differs from run to run.
// varies: output
#include <chrono>
#include <iostream>
int main() {
    int n;
    std::cin >> n;
    auto now = std::chrono::system_clock::now().time_since_epoch();
    std::cout << n << ' ' << std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}
