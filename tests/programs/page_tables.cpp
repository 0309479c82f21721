// Reads one byte of each page of a large mapping. No page is its own, but the page tables are.
#include <sys/mman.h>

int main() {
  long sum = 0;
  const long piece = 1L << 30;
  for (int i = 0; i < 56; ++i) {
    char *memory = static_cast<char *>(mmap(nullptr, piece, PROT_READ,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    if (memory == MAP_FAILED) return 3;
    madvise(memory, piece, MADV_NOHUGEPAGE);
    for (long at = 0; at < piece; at += 1 << 21) sum += static_cast<volatile char *>(memory)[at];
  }
  return static_cast<int>(sum);
}
