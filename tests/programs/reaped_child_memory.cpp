// A child holds 200 MiB, and nobody waits for it.
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  std::signal(SIGCHLD, SIG_IGN);
  if (fork() == 0) {
    const long bytes = 200 << 20;
    char *block = static_cast<char *>(std::malloc(bytes));
    std::memset(block, 1, bytes);
    asm volatile("" : : "r"(block) : "memory");
    usleep(50'000);
    _exit(0);
  }
  wait(nullptr);
}
