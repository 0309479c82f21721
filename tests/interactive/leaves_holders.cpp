// Leaves children that hold the pipes open, in its session and in others, some under a name that is
// no text.
#include <sys/prctl.h>
#include <unistd.h>

int main() {
  for (int child = 0; child < 6; ++child)
    if (fork() == 0) {
      if (child % 2) setsid();
      if (child > 2) prctl(PR_SET_NAME, "\xff");
      if (child % 3 == 0 && fork() != 0) return 0;
      for (;;) pause();
    }
}
