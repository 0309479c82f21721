// Children fill a mapping that the parent never touches, so the memory is in no resident set.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  const unsigned long piece = 1ul << 20, pieces = 4096;
  void *mapped = mmap(nullptr, pieces * piece, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return 3;
  for (unsigned long at = 0; at < pieces; ++at) {
    if (fork() == 0) {
      char *begin = static_cast<char *>(mapped) + at * piece;
      for (unsigned long byte = 0; byte < piece; byte += 4096) begin[byte] = 1;
      _exit(0);
    }
    wait(nullptr);
  }
}
