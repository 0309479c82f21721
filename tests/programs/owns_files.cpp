// Tries to change the runner's files: its input, so that later runs are short, and its folders.
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <sys/stat.h>
#include <unistd.h>

static int changed = 0;

static void refused(const char *what, long result) {
  if (result < 0) return;
  std::fprintf(stderr, "not refused: %s\n", what);
  ++changed;
}

int main() {
  refused("truncate", truncate("/proc/self/fd/0", 0));
  refused("open and truncate", open("/dev/stdin", O_RDONLY | O_TRUNC));
  refused("open for neither and truncate", open("/dev/stdin", O_ACCMODE | O_TRUNC));
  refused("open for writing", open("/dev/stdin", O_WRONLY));
  refused("fchmod", fchmod(0, 0));
  refused("futimens", futimens(0, nullptr));
  for (const char *path : {"/code", "/code/own", "/code/bin", "/code/bin/plain", "/tmp"}) {
    refused(path, chmod(path, 0));
    refused(path, rename(path, "/tmp/mine"));
  }
  refused("unlink", unlink("/code/bin/plain"));
  long n;
  return std::scanf("%ld", &n) == 1 && changed == 0 ? 0 : 1;
}
