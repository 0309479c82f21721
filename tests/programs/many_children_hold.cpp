// Thirty children hold 10 MiB each, all at the same time.
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  int ready[2], over[2];
  char byte = 0;
  if (pipe(ready) != 0 || pipe(over) != 0) return 4;
  const int children = 30;
  for (int child = 0; child < children; ++child)
    if (fork() == 0) {
      close(over[1]);
      const long bytes = 10 << 20;
      char *block = static_cast<char *>(std::malloc(bytes));
      std::memset(block, 1, bytes);
      asm volatile("" : : "r"(block) : "memory");
      if (write(ready[1], &byte, 1) != 1) _exit(4);
      _exit(static_cast<int>(read(over[0], &byte, 1)));
    }
  for (int child = 0; child < children; ++child)
    if (read(ready[0], &byte, 1) != 1) return 4;
  usleep(50'000);
  close(over[1]);
  for (int child = 0; child < children; ++child) wait(nullptr);
}
