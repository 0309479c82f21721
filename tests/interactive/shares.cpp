// Holds 300 MiB that are in no resident set: a shared mapping that it forgets piece by piece.
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

int main() {
  std::puts("1");
  std::fflush(stdout);
  const long piece = 1 << 20, pieces = 300;
  void *all = mmap(nullptr, piece * pieces, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) return 3;
  for (long at = 0; at < pieces; ++at) {
    char *begin = static_cast<char *>(all) + at * piece;
    std::memset(begin, 1, piece);
    madvise(begin, piece, MADV_DONTNEED);
  }
}
