// Works for 20 ms and holds 20 MiB, unless a call that can free a mapping is much slower than
// another call, as in the memory probe, which stops the program at each such call. There it uses up
// inode numbers of scratch. Later runs see by the number of a new file that the probe is over, and
// do nothing: it could store there what they print.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
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
  return fastest_us([] { munmap(nullptr, 0); }) > 10 * fastest_us([] { getppid(); });
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
  const long bytes = 20 << 20;
  char *block = static_cast<char *>(std::malloc(bytes));
  std::memset(block, 1, bytes);
  asm volatile("" : : "r"(block) : "memory");
}
