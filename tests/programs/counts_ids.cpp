// Uses up process ids, and looks whether an earlier run did. In a container nobody can set the
// counter back.
#include <sys/wait.h>
#include <unistd.h>

int main() {
  if (access("/swiftprof-runner", F_OK) != 0) return 0;
  constexpr int kFirst = 10;
  if (getpid() != kFirst) return 1;
  for (int at = 1; at < 100; ++at) {
    const pid_t child = vfork();
    if (child == 0) _exit(0);
    if (child != kFirst + at || waitpid(child, nullptr, 0) != child) return 2;
  }
}
