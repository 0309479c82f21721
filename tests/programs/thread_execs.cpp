// A thread that is not the leader calls exec, and so becomes the leader; then never ends.
#include <thread>
#include <unistd.h>

int main(int count, char **) {
  if (count > 1)
    for (;;) {
    }
  std::thread([] { execl("/proc/self/exe", "again", "again", nullptr); }).join();
}
