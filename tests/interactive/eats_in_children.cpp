// Each of its children holds less than the limit; together they hold far more. Their name is no
// text.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  prctl(PR_SET_NAME, "\xff");
  std::puts("1");
  std::fflush(stdout);
  for (int child = 0; child < 8; ++child) {
    if (fork() == 0) {
      const long bytes = 20 << 20;
      char *block = static_cast<char *>(std::malloc(bytes));
      std::memset(block, 1, bytes);
      asm volatile("" : : "r"(block) : "memory");
      usleep(300 * 1000);
      _exit(0);
    }
  }
  while (wait(nullptr) > 0) {
  }
}
