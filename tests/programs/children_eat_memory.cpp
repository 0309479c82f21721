// No child alone is over the limit, but together they are.
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  long n;
  const long each = 48 << 20;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (int child = 0; child < 16; ++child)
    if (fork() == 0) {
      volatile char *memory = new char[each];
      for (long i = 0; i < each; i += 4096) memory[i] = 1;
      sleep(60);
      _exit(0);
    }
  int status;
  while (wait(&status) > 0)
    if (status != 0) return 1;
}
