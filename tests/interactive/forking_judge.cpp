// Leaves children that hold the pipes open.
#include <unistd.h>

int main() {
  for (int child = 0; child < 5; ++child)
    if (fork() == 0) {
      if (child % 2 && fork() != 0) return 0;
      for (;;) pause();
    }
}
