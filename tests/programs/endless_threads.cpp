// Four threads compute for ever.
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([n] {
      for (volatile long i = 0;; i = i + n) {
      }
    });
  for (auto &thread : threads) thread.join();
}
