// Checks that nothing of the host is in the environment, the host's name or the arguments, and that
// there is no variable beyond those of every program.
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
  int unknown = 0;
  for (char **variable = environ; *variable != nullptr; ++variable) {
    bool known = false;
    for (const char *name : {"PATH=", "HOME=/tmp", "TMPDIR=/tmp", "LC_ALL=C", "TZ=UTC"})
      known |= std::strncmp(*variable, name, std::strlen(name)) == 0;
    if (known) continue;
    std::fprintf(stderr, "%s\n", *variable);
    ++unknown;
  }
  return unknown == 0 && argc == 1 && std::strcmp(argv[0], "./main.out") == 0 ? 0 : 1;
}
