// A child computes without end. The leader only yields the processor, so its own time is short, and
// the child's work looks like its wait for a processor.
#include <sched.h>
#include <unistd.h>

int main() {
  if (fork() == 0) {
    for (volatile unsigned i = 0;; i = i + 1) {
    }
  }
  for (;;) sched_yield();
}
