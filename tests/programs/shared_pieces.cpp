// Holds 100 MiB in a hundred shared mappings, with at most one of them resident at a time. Exits
// with 3 where such a mapping is refused.
#include <sys/mman.h>

int main() {
  const long piece = 1 << 20, pieces = 100;
  for (long at = 0; at < pieces; ++at) {
    void *mapped =
        mmap(nullptr, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return 3;
    for (long byte = 0; byte < piece; byte += 4096) static_cast<char *>(mapped)[byte] = 1;
    madvise(mapped, piece, MADV_DONTNEED);
  }
}
