// Checks that there can be only 64 processes and threads at a time, of any kind.
#include <pthread.h>
#include <unistd.h>

static int count = 1;

static void *waits(void *) {
  pause();
  return nullptr;
}

int main() {
  for (int i = 0; i < 40; ++i) {
    pid_t child = fork();
    if (child < 0) break;
    if (child == 0)
      for (;;) pause();
    ++count;
  }
  for (int i = 0; i < 200; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, nullptr, waits, nullptr) != 0) break;
    ++count;
  }
  _exit(count <= 64 ? 0 : 3);
}
