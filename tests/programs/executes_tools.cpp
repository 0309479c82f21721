// Executes the runner, which must not serve it, and programs that gain root elsewhere.
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <sys/wait.h>
#include <unistd.h>

static int succeeded = 0;

static void fails(const char *path, const char *argument) {
  if (fork() == 0) {
    execl(path, path, argument, nullptr);
    _exit(1);
  }
  int status = 0;
  wait(&status);
  if (status != 0) return;
  std::fprintf(stderr, "%s succeeded\n", path);
  ++succeeded;
}

int main() {
  for (const char *runner : {"/swiftprof-runner", "/usr/local/bin/swiftprof-runner"})
    for (const char *mode : {"enter", "once"}) fails(runner, mode);
  fails("/usr/bin/umount", "/proc");
  fails("/usr/bin/newgrp", "root");
  return succeeded == 0 && geteuid() != 0 ? 0 : 1;
}
