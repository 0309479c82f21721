// Executes itself once more, as another program, which works.
#include <cstdio>
#include <ctime>
#include <spawn.h>
#include <sys/wait.h>

int main(int count, char **arguments) {
  if (count > 1) {
    while (std::clock() < CLOCKS_PER_SEC / 10) {
    }
    return std::puts("42") < 0;
  }
  char worker[] = "worker";
  char *const words[] = {arguments[0], worker, nullptr};
  char *const nothing[] = {nullptr};
  pid_t child;
  int status = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, words, nothing) != 0) return 3;
  return waitpid(child, &status, 0) != child || status != 0;
}
