// A child computes that nobody waits for, so its time is in no sum. The parent waits for it while
// runnable, so that this looks like waiting for others.
#include <csignal>
#include <ctime>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

int main() {
  std::signal(SIGCHLD, SIG_IGN);
  volatile bool *done = static_cast<volatile bool *>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (fork() == 0) {
    while (std::clock() < CLOCKS_PER_SEC / 5) {
    }
    *done = true;
    _exit(0);
  }
  while (!*done) sched_yield();
}
