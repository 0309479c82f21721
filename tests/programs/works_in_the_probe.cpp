// Works for 600 ms if a call that can free a page is much slower than another call, as in the
// memory probe. It could store there what later runs print.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <sys/mman.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;

// The fastest of some rounds of a call, because a busy host slows others.
template <class Call> static double fastest_us(Call call) {
  double fastest = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < 100; ++i) call();
    const std::chrono::duration<double, std::micro> took = Clock::now() - begin;
    fastest = std::min(fastest, took.count());
  }
  return fastest;
}

int main() {
  const double other = fastest_us([] { getppid(); });
  if (fastest_us([] { madvise(nullptr, 0, MADV_DONTNEED); }) < 10 * other) return 0;
  while (std::clock() < 600 * (CLOCKS_PER_SEC / 1000)) {
  }
}
