// Waits in vfork for a child that never calls exec. Only SIGKILL ends this wait.
#include <unistd.h>

int main() {
  if (vfork() == 0)
    for (;;) pause();
}
