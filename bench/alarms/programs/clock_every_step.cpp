// Looks at the clock in each step, to stop after 60 s, which it never reaches.
// varies: work
#include <chrono>
#include <iostream>
int main() {
    using clock = std::chrono::steady_clock;
    auto end = clock::now() + std::chrono::seconds(60);
    int n;
    std::cin >> n;
    long long sum = 0;
    for (int i = 0; i < n && clock::now() < end; ++i) sum += i ^ (i >> 3);
    std::cout << sum << '\n';
}
