// The leading thread ends. Another thread goes on and decides how the process ends.
#include <pthread.h>
#include <thread>
#include <unistd.h>

int main() {
  std::thread([] {
    usleep(20'000);
    _exit(3);
  }).detach();
  pthread_exit(nullptr);
}
