// Uses memory in the way that its input names.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

const size_t MB = 1 << 20;

// Volatile, so that the compiler cannot leave it out.
static char *touched(size_t bytes) {
  char *block = static_cast<char *>(std::malloc(bytes));
  if (!block) std::abort();
  for (volatile char *at = block; at < block + bytes; at += 4096) *at = 1;
  return block;
}

static char *mapped(size_t bytes) {
  void *block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) std::abort();
  *static_cast<volatile char *>(block) = 1;
  return static_cast<char *>(block);
}

static void unmapped(char *block, size_t bytes) {
  if (munmap(block, bytes) != 0) {
    std::perror("munmap");
    _exit(9);
  }
}

__attribute__((noinline)) static int deep(long frames) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(frames);
  return frames == 0 ? frame[0] : deep(frames - 1) + frame[0];
}

static int freed() {
  std::free(touched(100 * MB));
  return 0;
}

static int small() {
  static std::vector<char *> kept;
  for (int i = 0; i < 2000; ++i) kept.push_back(touched(1000));
  return 0;
}

static int threads() {
  pthread_barrier_t all;
  pthread_barrier_init(&all, nullptr, 4);
  std::vector<std::thread> running;
  for (int i = 0; i < 4; ++i)
    running.emplace_back([&] {
      char *block = touched(20 * MB);
      pthread_barrier_wait(&all);
      std::free(block);
    });
  for (auto &thread : running) thread.join();
  return 0;
}

static int forks() {
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      std::free(touched(200 * MB));
      _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  std::free(touched(10 * MB));
  return 0;
}

static int leaves_child() {
  if (fork() == 0)
    for (;;) unmapped(mapped(MB), MB);
  usleep(20'000);
  return 0;
}

static int aborts() {
  touched(50 * MB);
  std::abort();
}

static int crashes() {
  touched(50 * MB);
  usleep(20'000);
  return *static_cast<volatile int *>(nullptr);
}

static int endless() {
  touched(50 * MB);
  for (volatile bool on = true; on;) {
  }
  return 0;
}

static int maps_for_ever() {
  for (;;) unmapped(mapped(MB), MB);
}

static int frees_often() {
  for (int i = 0; i < 100'000; ++i) {
    volatile char *block = static_cast<char *>(std::malloc(MB));
    *block = 1;
    std::free(const_cast<char *>(block));
  }
  return 0;
}

static int maps_often() {
  for (int i = 0; i < 20'000; ++i) unmapped(mapped(MB), MB);
  return 0;
}

// Neighbours differ in protection, because the kernel would merge equal ones.
static int many_mappings() {
  for (int i = 0; i < 15'000; ++i) mprotect(mapped(4 * 4096), 4096, PROT_READ);
  return 0;
}

static int leader_leaves() {
  std::thread([] {
    usleep(20'000);
    std::free(touched(60 * MB));
    usleep(20'000);
    std::exit(3);
  }).detach();
  pthread_exit(nullptr);
}

static int becomes_another() {
  touched(70 * MB);
  execl("/proc/self/exe", "again", "again", nullptr);
  return 1;
}

static int interrupted() {
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (int i = 0; i < 20'000; ++i) unmapped(mapped(MB), MB);
  return 0;
}

// Checks what this process may not do, and what it must not inherit.
static int confined() {
  if (ptrace(PTRACE_TRACEME, 0, 0, 0) != -1) return 1;
  if (ptrace(PTRACE_SEIZE, getppid(), 0, 0) != -1) return 2;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != -1) return 3;
  for (int fd = 3; fd < 64; ++fd)
    if (fcntl(fd, F_GETFD) != -1) return 4;
  return 0;
}

int main(int count, char**) {
  if (count > 1) return 0;
  char way[32];
  if (std::scanf("%31s", way) != 1) return 100;
  const std::map<std::string, int (*)()> ways = {
      {"hello", [] { return std::puts("hello") < 0 ? 1 : 0; }},
      {"freed", freed},
      {"keeps", [] { return touched(64 * MB) ? 0 : 1; }},
      {"small", small},
      {"deep", [] { return deep(8 * 1024) & 0; }},
      {"overflows", [] { return deep(1L << 40); }},
      {"threads", threads},
      {"forks", forks},
      {"leaves_child", leaves_child},
      {"aborts", aborts},
      {"crashes", crashes},
      {"endless", endless},
      {"stops_itself", [] { return raise(SIGSTOP); }},
      {"maps_for_ever", maps_for_ever},
      {"frees_often", frees_often},
      {"maps_often", maps_often},
      {"many_mappings", many_mappings},
      {"leader_leaves", leader_leaves},
      {"becomes_another", becomes_another},
      {"interrupted", interrupted},
      {"confined", confined},
  };
  const auto found = ways.find(way);
  return found == ways.end() ? 101 : found->second();
}
