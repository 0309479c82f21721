// Prints what a program can find out about itself and its surroundings. A line is a key and what
// was found; tests/probe/surroundings.rs compares the lines of different runs.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <string>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

extern char **environ;

static void number(const std::string &key, long long value) {
  std::printf("%s %lld\n", key.c_str(), value);
}

// Each line of a file; a key may end in the line's own name, the text before `separator`.
static void lines(const std::string &key, const char *path, char separator = 0) {
  std::FILE *file = std::fopen(path, "r");
  if (file == nullptr) return (void)std::printf("%s closed\n", key.c_str());
  char line[4096];
  while (std::fgets(line, sizeof line, file) != nullptr) {
    line[std::strcspn(line, "\n")] = 0;
    char *rest = separator == 0 ? nullptr : std::strchr(line, separator);
    if (rest == nullptr) {
      std::printf("%s %s\n", key.c_str(), line);
    } else {
      *rest = 0;
      std::printf("%s.%s %s\n", key.c_str(), line, rest + 1);
    }
  }
  std::fclose(file);
}

// A file whose parts end in null bytes.
static void parts(const std::string &key, const char *path) {
  std::FILE *file = std::fopen(path, "r");
  if (file == nullptr) return (void)std::printf("%s closed\n", key.c_str());
  std::printf("%s ", key.c_str());
  for (int c; (c = std::fgetc(file)) != EOF;) std::putchar(c == 0 ? ' ' : c);
  std::putchar('\n');
  std::fclose(file);
}

// The fields of /proc/self/stat, by their numbers in proc(5), from the first after the name on.
static void fields(const std::string &key) {
  std::FILE *file = std::fopen("/proc/self/stat", "r");
  if (file == nullptr) return (void)std::printf("%s closed\n", key.c_str());
  char line[4096] = {};
  const char *read = std::fgets(line, sizeof line, file);
  std::fclose(file);
  char *rest = read == nullptr ? nullptr : std::strrchr(line, ')');
  char *field = rest == nullptr ? nullptr : std::strtok(rest + 1, " \n");
  for (int at = 3; field != nullptr; field = std::strtok(nullptr, " \n"))
    std::printf("%s.%d. %s\n", key.c_str(), at++, field);
}

// Every file of a folder but `others`, which are read elsewhere or are no text.
static void files(const std::string &key, const std::string &folder, const char *others) {
  DIR *dir = opendir(folder.c_str());
  if (dir == nullptr) return (void)std::printf("%s closed\n", key.c_str());
  while (dirent *entry = readdir(dir)) {
    const std::string name = entry->d_name, path = folder + "/" + name;
    if (entry->d_type != DT_REG || std::strstr(others, (" " + name + " ").c_str())) continue;
    const bool has_names = name == "sched" || name == "io" || name == "smaps_rollup";
    lines(key + "." + name, path.c_str(), has_names ? ':' : 0);
  }
  closedir(dir);
}

static void link(const std::string &key, const char *path) {
  char target[4096] = {};
  std::printf("%s %s\n", key.c_str(), readlink(path, target, sizeof target - 1) < 0 ? "-" : target);
}

static void file(const std::string &name, const char *path) {
  struct stat at;
  if (stat(path, &at) != 0) return (void)std::printf("file.%s -\n", name.c_str());
  std::printf("file.%s ino %lu mode %o ids %u %u size %ld blocks %ld\n", name.c_str(), at.st_ino,
              at.st_mode, at.st_uid, at.st_gid, at.st_size, at.st_blocks);
  number("links." + name, at.st_nlink);
  std::printf("times.%s", name.c_str());
  for (const timespec &time : {at.st_atim, at.st_mtim, at.st_ctim})
    std::printf(" %ld.%09ld", time.tv_sec, time.tv_nsec);
  std::putchar('\n');
}

static void names(const std::string &key, const char *path) {
  DIR *dir = opendir(path);
  if (dir == nullptr) return (void)std::printf("%s closed\n", key.c_str());
  while (dirent *entry = readdir(dir)) std::printf("%s %s\n", key.c_str(), entry->d_name);
  closedir(dir);
}

static void descriptor(int fd) {
  const int status = fcntl(fd, F_GETFL);
  if (status < 0) return;
  const std::string key = "descriptor." + std::to_string(fd);
  int flags = 0;
  unsigned long long hint = 0;
  number(key + ".status", status);
  number(key + ".flags", fcntl(fd, F_GETFD));
  number(key + ".offset", fd == 1 ? 0 : lseek(fd, 0, SEEK_CUR));
  number(key + ".lease", fcntl(fd, F_GETLEASE));
  number(key + ".owner", fcntl(fd, F_GETOWN));
  number(key + ".seals", fcntl(fd, F_GET_SEALS));
  number(key + ".hint", fcntl(fd, F_GET_RW_HINT, &hint) == 0 ? static_cast<long long>(hint) : -1);
  number(key + ".attributes", ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 ? flags : -1);
  number(key + ".names", flistxattr(fd, nullptr, 0));
  link(key + ".link", ("/proc/self/fd/" + std::to_string(fd)).c_str());
}

static void space(const char *key, const char *path) {
  struct statvfs at;
  if (statvfs(path, &at) == 0)
    std::printf("%s blocks %lu of %lu files %lu of %lu id %lx flags %lx\n", key, at.f_bfree,
                at.f_blocks, at.f_ffree, at.f_files, at.f_fsid, at.f_flag);
}

int main(int argc, char **argv) {
  static char buffer[1 << 18];
  std::setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  // First, because what follows opens descriptors and files.
  for (int fd = 0; fd < 64; ++fd) descriptor(fd);
  file("input", "/proc/self/fd/0");
  file("stdout", "/proc/self/fd/1");
  file("stderr", "/proc/self/fd/2");
  file("binary", "/proc/self/exe");
  file("binaries", "/code/bin");
  for (const char *path : {"/", "/code", "/code/own", "/code/out", "/tmp", "/proc", "/dev",
                           "/dev/null"})
    file(path, path);
  space("space.code", "/code");
  space("space.scratch", "/tmp");
  names("names.scratch", "/tmp");
  names("names.own", "/code/own");

  number("pid", getpid());
  number("thread", gettid());
  number("parent", getppid());
  number("group", getpgid(0));
  number("session", getsid(0));
  gid_t groups[64];
  const int count = getgroups(64, groups);
  std::printf("ids %u %u %u %u groups %d\n", getuid(), geteuid(), getgid(), getegid(), count);
  for (int at = 0; at < argc; ++at) std::printf("argument %s\n", argv[at]);
  for (char **variable = environ; *variable != nullptr; ++variable)
    std::printf("environment %s\n", *variable);
  for (unsigned long type = 3; type < 64; ++type)
    if (getauxval(type) != 0) std::printf("auxiliary.%lu %lx\n", type, getauxval(type));

  lines("status", "/proc/self/status", ':');
  fields("self.stat");
  // The mappings are in `maps`, `numa_maps` and `smaps_rollup`, the mounts in `mountinfo`.
  files("self", "/proc/self", " status stat cmdline environ auxv mem pagemap clear_refs smaps mounts mountstats ");
  files("self.fdinfo", "/proc/self/fdinfo", "");
  files("self.net", "/proc/self/net", "");
  parts("self.cmdline", "/proc/self/cmdline");
  parts("self.environ", "/proc/self/environ");
  link("self.exe", "/proc/self/exe");
  link("self.root", "/proc/self/root");
  link("self.cwd", "/proc/self/cwd");
  for (const char *space : {"cgroup", "ipc", "mnt", "net", "pid", "user", "uts", "time"})
    link(std::string("namespace.") + space, (std::string("/proc/self/ns/") + space).c_str());
  const std::string parent = "/proc/" + std::to_string(getppid());
  lines("parent.comm", (parent + "/comm").c_str());
  parts("parent.cmdline", (parent + "/cmdline").c_str());
  for (const char *of : {"comm", "stat", "status", "statm", "limits", "mountinfo"})
    lines(std::string("runner.") + of, (std::string("/proc/1/") + of).c_str());
  names("names.proc", "/proc");
  for (const char *of : {"cmdline", "config.gz", "diskstats", "interrupts", "loadavg", "locks",
                         "meminfo", "modules", "partitions", "stat", "uptime", "version", "vmstat"})
    lines(std::string("host.") + of, (std::string("/proc/") + of).c_str());

  for (int signal = 1; signal < 65; ++signal) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_DFL)
      number("disposition", signal);
  }
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit;
    if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0)
      std::printf("limit.%d %lu %lu\n", resource, limit.rlim_cur, limit.rlim_max);
  }
  cpu_set_t cores;
  sched_getaffinity(0, sizeof cores, &cores);
  for (int core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &cores)) number("core", core);
  number("policy", sched_getscheduler(0));
  number("nice", getpriority(PRIO_PROCESS, 0));
  number("umask", umask(0));
  for (int option : {PR_GET_DUMPABLE, PR_GET_KEEPCAPS, PR_GET_SECUREBITS, PR_GET_TIMERSLACK,
                     PR_GET_NO_NEW_PRIVS, PR_GET_THP_DISABLE, PR_GET_SECCOMP})
    number("option." + std::to_string(option), prctl(option, 0, 0, 0, 0));
  utsname host;
  uname(&host);
  std::printf("host %s %s %s\n", host.nodename, host.release, host.version);

  struct sysinfo machine;
  sysinfo(&machine);
  std::printf("machine up %ld load %lu free %lu processes %u\n", machine.uptime, machine.loads[0],
              machine.freeram, machine.procs);
  timespec used;
  clockid_t runner;
  if (clock_getcpuclockid(1, &runner) == 0 && clock_gettime(runner, &used) == 0)
    std::printf("runner.time %ld.%09ld\n", used.tv_sec, used.tv_nsec);
  int ends[2];
  struct stat at;
  if (pipe(ends) == 0 && fstat(ends[0], &at) == 0) number("new.pipe", at.st_ino);
  const long self = syscall(SYS_pidfd_open, getpid(), 0);
  if (self >= 0 && fstat(self, &at) == 0) number("new.process", at.st_ino);
  const int made = open("/tmp/new", O_CREAT | O_RDWR, 0600);
  if (made >= 0 && fstat(made, &at) == 0) number("new.file", at.st_ino);
  DIR *scratch = opendir("/tmp");
  while (dirent *entry = scratch == nullptr ? nullptr : readdir(scratch))
    std::printf("new.place %s %ld\n", entry->d_name, entry->d_off);
}
