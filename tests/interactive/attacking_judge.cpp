// Signals every process it can find, writes where it may not, and accepts if none of that was
// possible.
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <sys/stat.h>
#include <unistd.h>

int main() {
  kill(-1, SIGKILL);
  for (int pid = 1; pid < 300; ++pid)
    if (pid != getpid() && kill(pid, SIGKILL) == 0 && pid != 1) return 2;
  for (const char *path : {"/tmp/left", "left", "/code/left", "/dev/shm/left"})
    if (open(path, O_CREAT | O_WRONLY, 0600) >= 0) return 3;
  if (mkdir("/tmp/folder", 0700) == 0) return 4;
  char block[100];
  while (read(0, block, sizeof block) > 0) {}
}
