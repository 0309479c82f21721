// The leading thread ends; another one lives on and decides how the process ends.
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
