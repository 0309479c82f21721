// Does what stdin says. `read` prints where the counters are that a later run finds moved. `write
// COUNTER LEAST` moves one of them for 0.1 s, and at least LEAST times, and prints how often.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void number(const char *key, long long value) { std::printf("%s %lld\n", key, value); }

static void inode(const char *key, int fd) {
  struct stat at;
  if (fd >= 0 && fstat(fd, &at) == 0) number(key, at.st_ino);
}

static void *map() {
  return mmap(nullptr, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void read_mapping() {
  if (map() == MAP_FAILED) return;
  std::FILE *maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  long long at;
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr)
    if (std::strstr(line, "/dev/zero") != nullptr &&
        std::sscanf(line, "%*s %*s %*s %*s %lld", &at) == 1)
      number("mapping", at);
}

static void read_all() {
  read_mapping();
  int ends[2];
  if (pipe(ends) == 0) inode("pipe", ends[0]);
  inode("process", syscall(SYS_pidfd_open, getpid(), 0));
  number("pid", getpid());
  if (std::FILE *file = std::fopen("/proc/self/autogroup", "r")) {
    long long group;
    if (std::fscanf(file, "/autogroup-%lld", &group) == 1) number("autogroup", group);
    std::fclose(file);
  }
  inode("file", open("new", O_CREAT | O_RDWR, 0600));
  // The place after this entry is that of the new file.
  DIR *scratch = opendir(".");
  while (dirent *entry = scratch == nullptr ? nullptr : readdir(scratch))
    if (std::strcmp(entry->d_name, "..") == 0) number("place", entry->d_off);
}

static bool child(bool with_session) {
  const pid_t made = vfork();
  if (made == 0) _exit(with_session && setsid() < 0);
  return made > 0 && waitpid(made, nullptr, 0) == made;
}

// Moves the counter once.
static bool move(const std::string &counter) {
  if (counter == "pipe") {
    int ends[2];
    return pipe(ends) == 0 && close(ends[0]) == 0 && close(ends[1]) == 0;
  }
  if (counter == "mapping") {
    void *mapped = map();
    return mapped != MAP_FAILED && munmap(mapped, 4096) == 0;
  }
  if (counter == "process" || counter == "pid") return child(false);
  if (counter == "autogroup") return child(true);
  return mknod("new", S_IFREG | 0600, 0) == 0 && unlink("new") == 0;
}

static int write(const std::string &counter, long least) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(100);
  long moves = 0, in_time = 0;
  for (; in_time == 0 || moves < least; ++moves) {
    if (!move(counter)) return 1;
    if (in_time == 0 && Clock::now() >= end) in_time = moves + 1;
  }
  number("in_time", in_time);
  number("moves", moves);
  return 0;
}

int main() {
  char what[8], counter[16];
  long least;
  const int read = std::scanf("%7s %15s %ld", what, counter, &least);
  if (read == 3 && std::strcmp(what, "write") == 0) return write(counter, least);
  read_all();
}
