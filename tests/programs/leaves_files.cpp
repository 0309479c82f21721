// Fails if it finds anything that its earlier run left.
#include <cstdio>
#include <initializer_list>
#include <fcntl.h>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (const char *path : {"/tmp/left", "/dev/shm/left", "/var/tmp/left", "left"}) {
    int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file < 0 && access(path, F_OK) == 0) {
      // One of the four may be another name of the same place.
      if (path[0] == '/') return 3;
    }
    close(file);
  }
}
