// Gives a page of each of 600 huge pages to pipes, and unmaps them. A pipe keeps the whole huge
// page, which is in no resident set. Exits with 3 where that is refused, or where there are no huge
// pages.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

static long peak_kb() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int main() {
  const long before_kb = peak_kb();
  const long huge = 2 << 20;
  int ends[2];
  for (int at = 0; at < 600; ++at) {
    if (at % 8 == 0 && pipe(ends) != 0) return 4;
    char *block = static_cast<char *>(mmap(nullptr, 2 * huge, PROT_READ | PROT_WRITE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (block == MAP_FAILED) return 4;
    char *aligned = block + (huge - reinterpret_cast<long>(block) % huge) % huge;
    madvise(aligned, huge, MADV_HUGEPAGE);
    *static_cast<volatile char *>(aligned) = 1;
    if (at == 0 && peak_kb() < before_kb + 1024) return 3;
    iovec page = {aligned, 4096};
    if (vmsplice(ends[1], &page, 1, 0) != 4096) return 3;
    munmap(block, 2 * huge);
  }
}
