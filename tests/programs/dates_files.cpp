// Looks for times of files that tell what an earlier run has done: when it read its input, its own
// file, a folder or a link, and when it last used scratch. Then it does all of that.
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const kFolders[] = {"/dev", "/dev/mqueue", "/dev/pts", "/code", "/code/bin"};
static const char *const kLinks[] = {"/dev/fd", "/dev/stdin", "/proc/self", "/proc/thread-self",
                                     "/proc/mounts", "/proc/net"};

static bool is_later(const timespec &one, const timespec &other) {
  return one.tv_sec != other.tv_sec ? one.tv_sec > other.tv_sec : one.tv_nsec > other.tv_nsec;
}

// Whether somebody has read it. A time that lies ahead was set.
static bool was_read(const struct stat &file) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return is_later(file.st_atim, file.st_mtim) && !is_later(file.st_atim, now);
}

int main() {
  int kept = 0;
  struct stat input, output, scratch, binary, other;
  if (fstat(0, &input) != 0 || fstat(1, &output) != 0 || stat("/tmp", &scratch) != 0 ||
      stat("/proc/self/exe", &binary) != 0)
    return 2;
  if (was_read(input)) ++kept;
  if (was_read(binary)) ++kept;
  for (const char *folder : kFolders)
    if (lstat(folder, &other) == 0 && was_read(other)) ++kept;
  for (const char *link : kLinks)
    // The kernel sets the time of one that nobody has read, and keeps that of another.
    if (lstat(link, &other) == 0 && was_read(other) == (link[1] == 'd')) ++kept;
  // Its outputs are emptied at the start of a run.
  if (is_later(output.st_mtim, scratch.st_mtim) || is_later(output.st_mtim, scratch.st_ctim)) ++kept;
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  // Longer than the kernel's clock for files needs to go on.
  usleep(20'000);
  close(open("/tmp/later", O_CREAT | O_RDWR, 0600));
  unlink("/tmp/later");
  for (const char *path : kFolders)
    if (DIR *folder = opendir(path)) {
      readdir(folder);
      closedir(folder);
    }
  char target[100];
  for (const char *link : kLinks)
    if (readlink(link, target, sizeof target) < 0) continue;
  return kept == 0 ? 0 : 1;
}
