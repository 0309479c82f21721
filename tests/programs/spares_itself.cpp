// Tries to get the runner killed in its place when memory runs out: by memory that is in no
// resident set, and by being the OOM killer's last choice.
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>

int main() {
  if (memfd_create("hidden", 0) >= 0) return 3;
  if (open("/proc/self/oom_score_adj", O_WRONLY) >= 0) return 4;
  int score = 0;
  std::FILE *file = std::fopen("/proc/self/oom_score_adj", "r");
  return file && std::fscanf(file, "%d", &score) == 1 && score == 1000 ? 0 : 5;
}
