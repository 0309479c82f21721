// Four threads that share a little work.
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  long n, sums[4] = {0, 0, 0, 0};
  if (std::scanf("%ld", &n) != 1) return 2;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&sums, n, t] {
      for (long i = t; i < n; i += 4) sums[t] += i;
    });
  for (auto &thread : threads) thread.join();
  std::printf("%ld\n", sums[0] + sums[1] + sums[2] + sums[3]);
}
