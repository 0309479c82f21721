// Shared memory, semaphores and message queues of both kinds: refused, or invisible to the next
// run.
#include <cstdio>
#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

static int seen = 0;

static void fresh(const char *what, long existing, long made) {
  if (existing < 0) return;
  std::fprintf(stderr, "%s was there, and is made as %ld\n", what, made);
  ++seen;
}

int main() {
  const key_t key = 4711;
  fresh("shared memory", shmget(key, 0, 0), shmget(key, 4096, IPC_CREAT | 0600));
  fresh("semaphore", semget(key, 0, 0), semget(key, 1, IPC_CREAT | 0600));
  fresh("queue", msgget(key, 0), msgget(key, IPC_CREAT | 0600));
  fresh("posix queue", mq_open("/left", O_RDONLY), mq_open("/left", O_CREAT | O_RDWR, 0600, nullptr));
  fresh("posix memory", shm_open("/left", O_RDONLY, 0), shm_open("/left", O_CREAT | O_RDWR, 0600));
  return seen == 0 ? 0 : 1;
}
