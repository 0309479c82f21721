// Leaves folders within folders, more than there are file descriptors, some of them unreadable.
#include <sys/stat.h>
#include <unistd.h>

int main() {
  const char *name = "a-name-of-some-length-so-that-the-path-is-longer-than-any-path";
  for (int depth = 0; depth < 3000; ++depth)
    if (mkdir(name, 0700) != 0 || chdir(name) != 0) break;
  for (int up = 0; up < 5; ++up) {
    chmod("..", 0);
    if (chdir("..") != 0) break;
  }
}
