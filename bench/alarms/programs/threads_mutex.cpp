// Adds up in four threads behind a mutex.
// varies: work
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>
int main() {
    long n, sum = 0;
    std::cin >> n;
    std::mutex lock;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (long i = t; i < n; i += 400) {
                std::lock_guard<std::mutex> held(lock);
                sum += i;
            }
        });
    for (auto &thread : threads) thread.join();
    std::cout << sum << '\n';
}
