// Has 200 MB resident when it starts others, whose peaks begin at that size.
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **) {
  if (count > 1) return 0;
  const long bytes = 200 << 20;
  char *block = new char[bytes];
  std::memset(block, 1, bytes);
  asm volatile("" : : "r"(block) : "memory");
  for (int child = 0; child < 4; ++child) {
    if (fork() == 0) {
      execl("/proc/self/exe", "again", "again", nullptr);
      _exit(1);
    }
    int status = 0;
    wait(&status);
    if (status != 0) return 3;
  }
}
