// Waits in vfork, which no signal but SIGKILL ends, for a child that never calls exec.
#include <unistd.h>

int main() {
  if (vfork() == 0)
    for (;;) pause();
}
