// Leaves children that hold the pipes open, in its session and in others.
#include <unistd.h>

int main() {
  for (int child = 0; child < 6; ++child)
    if (fork() == 0) {
      if (child % 2) setsid();
      if (child % 3 == 0 && fork() != 0) return 0;
      for (;;) pause();
    }
}
