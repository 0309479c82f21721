// Looks for files that it may not have, and names on stderr those that it could open.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

extern char **environ;

static int reached = 0;

static void closed(const char *path, int flags) {
  int file = open(path, flags);
  if (file < 0) return;
  std::fprintf(stderr, "opened: %s\n", path);
  ++reached;
  close(file);
}

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (const char *path : {"/proc/1/mem", "/proc/1/environ", "/etc/shadow", "/var/run/docker.sock",
                           "/run/docker.sock", "/dev/mem", "/dev/sda", "/dev/vda", "/dev/kmsg"})
    closed(path, O_RDONLY);
  // The figures of its cgroup, with both versions.
  for (const char *path : {"/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.peak",
                           "/sys/fs/cgroup/memory.stat", "/sys/fs/cgroup/memory/memory.usage_in_bytes"})
    closed(path, O_RDONLY);
  // In a container these are the image's.
  if (access("/swiftprof-runner", F_OK) == 0)
    for (const char *path : {"/etc/passwd", "/etc/hostname", "/etc/machine-id", "/root", "/home",
                             "/var", "/run", "/srv", "/mnt", "/boot", "/sys/kernel", "/opt",
                             "/usr/bin/g++", "/usr/include", "/usr/share", "/bin/sh"})
      closed(path, O_RDONLY);
  for (const char *path : {"/code/main.out", "/code/input", "/usr/bin/g++", "/etc/passwd",
                           "/usr/local/bin/swiftprof-runner", "/sys/fs/cgroup/memory/tasks",
                           "/sys/fs/cgroup/cgroup.procs", "/proc/sys/kernel/hostname"})
    closed(path, O_WRONLY);
  for (char **variable = environ; *variable != nullptr; ++variable)
    if (std::strstr(*variable, "TOKEN") || std::strstr(*variable, "SECRET")) ++reached;
  return reached == 0 ? 0 : 1;
}
