// Waits for descriptors that never become ready: none at all, and its own pipe.
#include <poll.h>
#include <sys/select.h>
#include <unistd.h>

int main() {
  int ends[2];
  if (pipe(ends) != 0) return 3;
  pollfd end = {ends[0], POLLIN, 0};
  for (;;) {
    timeval moment = {0, 50'000};
    select(0, nullptr, nullptr, nullptr, &moment);
    poll(&end, 1, 50);
  }
}
