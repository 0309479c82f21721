// Adopts its children's orphans, asks for a signal at its parent's death, and leaves all of them.
#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>

int main() {
  if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 3;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (fork() == 0) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    for (int child = 0; child < 8; ++child)
      if (fork() == 0) {
        setsid();
        for (;;) pause();
      }
    for (;;) pause();
  }
}
