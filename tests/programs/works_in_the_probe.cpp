// Works for 20 ms, unless a call that can free a page is much slower than another call, as in the
// memory probe. There it uses up inode numbers of scratch. Later runs see by the number of a new
// file that the probe is over, and do not work: it could store there what they print.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
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
  const double other = fastest_us([] { getppid(); });
  return fastest_us([] { madvise(nullptr, 0, MADV_DONTNEED); }) > 10 * other;
}

static ino_t new_file() {
  struct stat file = {};
  const int made = open("new", O_CREAT | O_RDWR, 0600);
  fstat(made, &file);
  close(made);
  unlink("new");
  return file.st_ino;
}

int main() {
  constexpr ino_t kMany = 2000;
  if (new_file() > kMany) return 0;
  if (is_probed()) {
    for (ino_t at = 0; at < kMany; ++at) new_file();
    return 0;
  }
  while (std::clock() < 20 * (CLOCKS_PER_SEC / 1000)) {
  }
}
