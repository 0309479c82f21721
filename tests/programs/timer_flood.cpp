// Starts as many timers as possible, each of which fires as often as possible.
#include <csignal>
#include <ctime>
#include <sys/timerfd.h>
#include <unistd.h>

static void heard(int) {}

int main() {
  std::signal(SIGALRM, heard);
  itimerspec often = {{0, 1000}, {0, 1000}};
  for (int i = 0; i < 100'000; ++i) {
    timer_t timer;
    if (timer_create(CLOCK_MONOTONIC, nullptr, &timer) != 0) break;
    timer_settime(timer, 0, &often, nullptr);
  }
  for (int file; (file = timerfd_create(CLOCK_MONOTONIC, 0)) >= 0;)
    timerfd_settime(file, 0, &often, nullptr);
  for (;;) pause();
}
