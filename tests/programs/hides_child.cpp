// Has a child compute that nobody waits for, so that its time is in no sum, and waits for it runnable,
// so that the time looks like one spent waiting for others.
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
