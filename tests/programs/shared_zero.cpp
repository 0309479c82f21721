// Shared memory without a file, by way of a device. Exits with 3 where it is refused.
#include <fcntl.h>
#include <sys/mman.h>

int main() {
  const long piece = 1 << 20, pieces = 300;
  const int zero = open("/dev/zero", O_RDWR);
  if (zero < 0) return 3;
  void *mapped =
      mmap(nullptr, pieces * piece, PROT_READ | PROT_WRITE, MAP_SHARED, zero, 0);
  if (mapped == MAP_FAILED) return 3;
  for (long at = 0; at < pieces; ++at) {
    char *begin = static_cast<char *>(mapped) + at * piece;
    for (long byte = 0; byte < piece; byte += 4096) begin[byte] = 1;
    madvise(begin, piece, MADV_DONTNEED);
  }
}
