// A child is killed for its memory, and its parent, the leader, hides that.
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  if (fork() == 0)
    for (;;) std::memset(new char[1 << 20], 1, 1 << 20);
  wait(nullptr);
}
