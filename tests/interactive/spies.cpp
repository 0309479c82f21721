// Looks for the interactor's input and for the interactor's own secrets.
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <initializer_list>
#include <string>
#include <sys/ptrace.h>
#include <unistd.h>

static int reached = 0;

static void closed(const std::string &path) {
  char byte;
  int file = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  if (file < 0) return;
  if (read(file, &byte, 1) >= 0) {
    std::fprintf(stderr, "read: %s\n", path.c_str());
    ++reached;
  }
  close(file);
}

int main() {
  for (int pid = 1; pid < 300; ++pid) {
    if (pid == getpid()) continue;
    const std::string process = "/proc/" + std::to_string(pid) + "/";
    for (const char *file : {"fd/0", "fd/1", "fd/2", "fd/3", "fd/4", "fd/5", "mem", "environ", "exe",
                             "cwd/input", "root/code/own/input", "task/1/fd/3", "map_files"})
      closed(process + file);
    if (ptrace(PTRACE_SEIZE, pid, 0, 0) == 0) ++reached;
  }
  for (const char *name : {"input", "size", "interactor", "interactor-binary", "interactor-stderr",
                           "source", "stdout", "stderr"}) {
    closed(std::string("/code/own/") + name);
    closed(std::string("/proc/self/root/code/own/") + name);
    closed(std::string("/code/out/") + name);
  }
  closed("/code/bin/interactor");
  closed("/dev/fd/3");
  return reached == 0 ? 0 : 1;
}
