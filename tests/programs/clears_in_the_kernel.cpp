// Lets the kernel clear 512 MiB of new pages, 32 MiB in each call.
#include <cstdio>
#include <sys/mman.h>

int main() {
  const long bytes = 32 << 20;
  for (int call = 0; call < 16; ++call) {
    void *pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (pages == MAP_FAILED || munmap(pages, bytes) != 0) return 3;
  }
  std::puts("42");
}
