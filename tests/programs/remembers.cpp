// Looks for a place that survives until the next run: its outputs, their folders, and its own file.
// A run need not compute what it finds from an earlier one.
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

int main() {
  int kept = 0;
  for (const char *path : {"/proc/self/fd/0", "/proc/self/fd/1", "/proc/self/fd/2",
                           "/proc/self/exe", "/tmp", "/code", "/dev/null", "."}) {
    char answer[8] = {};
    if (getxattr(path, "user.answer", answer, sizeof answer) > 0) ++kept;
    setxattr(path, "user.answer", "42", 2, 0);
    struct stat file;
    if (stat(path, &file) == 0 && (file.st_mode & 06000) != 0) ++kept;
    chmod(path, file.st_mode | 04000);
    timespec then[2] = {{42, 42}, {42, 42}};
    utimensat(AT_FDCWD, path, then, 0);
    if (stat(path, &file) == 0 && file.st_mtim.tv_nsec == 42) ++kept;
  }
  for (int file : {1, 2}) {
    if (lseek(file, 0, SEEK_END) != 0 || fcntl(file, F_GET_SEALS) > 1) ++kept;
    if ((fcntl(file, F_GETFL) & O_APPEND) != 0) ++kept;
    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK);
    fcntl(file, F_SETFL, O_APPEND);
    flock(file, LOCK_EX | LOCK_NB);
    if (write(file, "later", 5) != 5) ++kept;
  }
  return kept == 0 ? 0 : 1;
}
