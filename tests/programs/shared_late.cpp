// Works for half a second, so that a run is too long for a memory probe. Then it fills 300 MiB of a
// shared mapping and drops each piece from its resident set. Exits with 3 where that is refused.
#include <ctime>
#include <sys/mman.h>

int main() {
  const long piece = 1 << 20, pieces = 300;
  while (std::clock() < CLOCKS_PER_SEC / 2) {
  }
  void *mapped = mmap(nullptr, pieces * piece, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return 3;
  for (long at = 0; at < pieces; ++at) {
    char *begin = static_cast<char *>(mapped) + at * piece;
    for (long byte = 0; byte < piece; byte += 4096) begin[byte] = 1;
    madvise(begin, piece, MADV_DONTNEED);
  }
}
