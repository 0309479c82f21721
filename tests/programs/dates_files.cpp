// Looks for times of files that tell what an earlier run has done: when it read its input or its
// own file, and when it last used scratch. Then it does all of that.
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_later(const timespec &one, const timespec &other) {
  return one.tv_sec != other.tv_sec ? one.tv_sec > other.tv_sec : one.tv_nsec > other.tv_nsec;
}

int main() {
  int kept = 0;
  struct stat input, output, scratch, binary;
  if (fstat(0, &input) != 0 || fstat(1, &output) != 0 || stat("/tmp", &scratch) != 0 ||
      stat("/proc/self/exe", &binary) != 0)
    return 2;
  if (is_later(input.st_atim, input.st_mtim)) ++kept;
  if (is_later(binary.st_atim, binary.st_mtim)) ++kept;
  // Its outputs are emptied at the start of a run.
  if (is_later(output.st_mtim, scratch.st_mtim) || is_later(output.st_mtim, scratch.st_ctim)) ++kept;
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  // Longer than the kernel's clock for files needs to go on.
  usleep(20'000);
  close(open("/tmp/later", O_CREAT | O_RDWR, 0600));
  unlink("/tmp/later");
  return kept == 0 ? 0 : 1;
}
