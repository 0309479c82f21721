// Has clocks of its own that stand still, and works for 100 ms by the kernel's.
#include <cstdio>
#include <ctime>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

extern "C" {
int clock_gettime(clockid_t, timespec *now) noexcept {
  *now = {};
  return 0;
}
int gettimeofday(timeval *now, void *) noexcept {
  *now = {};
  return 0;
}
time_t time(time_t *) noexcept { return 0; }
clock_t clock() noexcept { return 0; }
}

int main() {
  for (timespec spent = {}; spent.tv_nsec < 100'000'000 && spent.tv_sec == 0;)
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &spent);
  std::printf("%ld\n", static_cast<long>(clock()));
}
