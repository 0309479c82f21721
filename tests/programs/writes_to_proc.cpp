// Checks that no file in /proc accepts writes: its own, its parent's, or process 1's.
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <string>
#include <unistd.h>

int main() {
  int opened = 0;
  for (const char *of : {"self", "1"})
    for (const char *file :
         {"mem", "clear_refs", "oom_score_adj", "oom_adj", "coredump_filter", "timerslack_ns",
          "uid_map", "gid_map", "setgroups", "projid_map", "autogroup", "sched", "loginuid", "comm",
          "timens_offsets", "attr/current", "make-it-fail"}) {
      std::string path = std::string("/proc/") + of + "/" + file;
      int handle = open(path.c_str(), O_WRONLY);
      if (handle < 0) continue;
      std::fprintf(stderr, "opened: %s\n", path.c_str());
      ++opened;
    }
  for (const char *path : {"/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern",
                           "/proc/sys/vm/drop_caches", "/proc/sys/kernel/ns_last_pid"})
    if (open(path, O_WRONLY) >= 0) ++opened;
  std::string parent = "/proc/" + std::to_string(getppid());
  for (const char *file : {"/mem", "/environ", "/maps", "/fd/0", "/cwd/x"})
    if (open((parent + file).c_str(), O_RDONLY) >= 0) ++opened;
  return opened == 0 ? 0 : 1;
}
