// Watches a folder of tools for whoever opens or reads a file there. It does so itself, so that
// there is something to see.
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile std::sig_atomic_t told = 0;

static void hear(int) { told = 1; }

static void read_tool() {
  char byte;
  const int tool = open("/usr/bin/time", O_RDONLY);
  if (read(tool, &byte, 1) == 1) close(tool);
}

int main() {
  int seen = 0;
  const int watch = inotify_init1(IN_NONBLOCK);
  inotify_add_watch(watch, "/usr/bin", IN_OPEN | IN_ACCESS);
  read_tool();
  char event[4096];
  if (read(watch, event, sizeof event) > 0) ++seen;
  std::signal(SIGIO, hear);
  const int folder = open("/usr/bin", O_RDONLY | O_DIRECTORY);
  // The kernel reads half of a command, so the other half may hold anything.
  for (unsigned long above : {0UL, 1UL << 32}) {
    syscall(SYS_fcntl, folder, above | F_NOTIFY, DN_ACCESS);
    read_tool();
  }
  if (told != 0) ++seen;
  std::fprintf(stderr, "%d ways to watch\n", seen);
  return seen == 0 ? 0 : 1;
}
