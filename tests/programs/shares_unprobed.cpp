// Holds 45 MiB in no resident set, for 60 ms, unless a call that can free a mapping is much slower
// than another call, as in the memory probe, which stops the program at each such call. The compiler
// holds more for <regex>, so a container's peak does not tell. Then stdout and stderr take 90 MiB,
// which are no memory of the program's, so the peak of a native sandbox does not tell either.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <regex>
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

static bool is_probed() {
  return fastest_us([] { munmap(nullptr, 0); }) > 10 * fastest_us([] { getppid(); });
}

int main() {
  if (is_probed()) return 0;
  const long piece = 1 << 20, pieces = 45;
  void *all = mmap(nullptr, piece * pieces, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return 3;
  for (long at = 0; at < pieces; ++at) {
    char *begin = static_cast<char *>(all) + at * piece;
    std::memset(begin, 1, piece);
    madvise(begin, piece, MADV_DONTNEED);
  }
  const auto end = Clock::now() + std::chrono::milliseconds(60);
  while (Clock::now() < end) {
  }
  munmap(all, piece * pieces);
  for (int output : {1, 2})
    if (fallocate(output, FALLOC_FL_KEEP_SIZE, 0, piece * pieces) != 0) return 4;
}
