// Leaves zombies that nobody waits for, and their children.
#include <unistd.h>

int main() {
  for (int child = 0; child < 30; ++child)
    if (fork() == 0) {
      if (fork() == 0) usleep(1000);
      _exit(child);
    }
}
