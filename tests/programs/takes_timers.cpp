// Makes timers until the kernel refuses: it counts them for a user of the host, who may be that of
// other sandboxes too.
#include <csignal>
#include <cstdio>
#include <ctime>

int main() {
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  timer_t timer;
  int made = 0;
  while (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) ++made;
  std::fprintf(stderr, "%d timers\n", made);
  return 0 < made && made <= 1024 ? 0 : 1;
}
