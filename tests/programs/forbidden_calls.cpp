// Makes calls that no contest program needs, and names on stderr those that were not refused.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static int allowed = 0;

// Another error than these two means that the kernel has looked at the arguments.
static void refused(const char *what, long result) {
  if (result < 0 && (errno == EPERM || errno == ENOSYS)) return;
  std::fprintf(stderr, "not refused: %s: %s\n", what, result < 0 ? std::strerror(errno) : "done");
  ++allowed;
}

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  timespec now = {0, 0};
  char page[4096] = {0};
  refused("ptrace", ptrace(PTRACE_SEIZE, getppid(), 0, 0));
  refused("being traced", ptrace(PTRACE_TRACEME, 0, 0, 0));
  refused("process_vm_readv", syscall(SYS_process_vm_readv, getppid(), page, 0, page, 0, 0));
  refused("unshare user", unshare(CLONE_NEWUSER));
  refused("unshare network", unshare(CLONE_NEWNET));
  refused("setns", setns(open("/proc/self/ns/net", O_RDONLY), 0));
  refused("mount", mount("none", "/tmp", "tmpfs", 0, nullptr));
  refused("umount", umount2("/proc", MNT_DETACH));
  refused("chroot", chroot("/tmp"));
  refused("pivot_root", syscall(SYS_pivot_root, "/tmp", "/tmp"));
  refused("keyctl", syscall(SYS_keyctl, 0, -3, 1));
  refused("add_key", syscall(SYS_add_key, "user", "k", "v", 1, -3));
  refused("bpf", syscall(SYS_bpf, 0, page, sizeof page));
  refused("userfaultfd", syscall(SYS_userfaultfd, 1));
  refused("io_uring_setup", syscall(SYS_io_uring_setup, 1, page));
  refused("io_uring_enter", syscall(SYS_io_uring_enter, -1, 0, 0, 0, 0, 0));
  refused("io_uring_register", syscall(SYS_io_uring_register, -1, 0, page, 0));
  refused("perf_event_open", syscall(SYS_perf_event_open, page, 0, -1, -1, 0));
  refused("shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
  refused("shmat", syscall(SYS_shmat, 0, 0, 0));
  refused("clock_settime", clock_settime(CLOCK_REALTIME, &now));
  refused("reboot", reboot(RB_DISABLE_CAD));
  refused("sethostname", sethostname("x", 1));
  refused("swapoff", syscall(SYS_swapoff, "/none"));
  refused("init_module", syscall(SYS_init_module, page, 0, ""));
  refused("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
  refused("kexec_file_load", syscall(SYS_kexec_file_load, -1, -1, 0, 0, 0));
  refused("personality", personality(PER_BSD) >= 0 ? 0 : -1);
  refused("setpriority", setpriority(PRIO_PROCESS, 0, -5));
  refused("lower priority", setpriority(PRIO_PROCESS, 0, 5));
  refused("sched_setscheduler", syscall(SYS_sched_setscheduler, 0, SCHED_BATCH, page));
  const sched_param usual = {};
  refused("sched_setparam", sched_setparam(0, &usual));
  refused("sched_setattr", syscall(SYS_sched_setattr, 0, page, 0));
  refused("ioprio_set", syscall(SYS_ioprio_set, 1, 0, 3 << 13));
  // The runner, process 1, starts a program on the program's processor, and has left it by now. A
  // host with one processor has no other.
  cpu_set_t here, other;
  if (sched_getaffinity(0, sizeof here, &here) == 0 && CPU_COUNT(&here) == 1 &&
      sched_getaffinity(1, sizeof other, &other) == 0 && !CPU_EQUAL(&here, &other)) {
    CPU_AND(&other, &other, &here);
    refused("the runner's processor", CPU_COUNT(&other) == 0 ? (errno = EPERM, -1) : 0);
  }
  cpu_set_t all;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) CPU_SET(cpu, &all);
  refused("sched_setaffinity", sched_setaffinity(0, sizeof all, &all));
  rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
  refused("prlimit of another", prlimit(getppid(), RLIMIT_NOFILE, nullptr, &none));
  for (int resource = 0; resource < RLIM_NLIMITS; ++resource) {
    rlimit limit;
    if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) continue;
    if (limit.rlim_max == RLIM_INFINITY) continue;
    ++limit.rlim_max;
    refused("a higher limit", setrlimit(static_cast<__rlimit_resource>(resource), &limit));
  }
  refused("prctl of the layout", prctl(PR_SET_MM, PR_SET_MM_START_STACK, 4096, 0, 0));
  // The kernel reads half of the number, so the other half may hold anything.
  refused("prctl with an upper half",
          syscall(SYS_prctl, 1UL << 32 | PR_SET_MM, PR_SET_MM_MAP_SIZE, page, 0, 0));
  // Where the user namespace has one user, the error would be another one.
  if (setuid(0) == 0) refused("setuid", 0);
  refused("setgroups", setgroups(0, nullptr));
  // Without huge pages on the host, the error would be another one.
  const int huge = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB;
  void *mapped = mmap(nullptr, 1 << 21, PROT_READ | PROT_WRITE, huge, -1, 0);
  refused("huge pages", mapped == MAP_FAILED && errno == EPERM ? -1 : 0);
  refused("memfd_create", syscall(SYS_memfd_create, "m", 0));
  refused("memfd_secret", syscall(447, 0));
  refused("semget", syscall(SYS_semget, IPC_PRIVATE, 1, IPC_CREAT | 0600));
  refused("msgget", syscall(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600));
  refused("mq_open", syscall(SYS_mq_open, "/q", O_CREAT | O_RDWR, 0600, 0));
  refused("request_key", syscall(SYS_request_key, "user", "k", 0, -3));
  refused("process_vm_writev", syscall(SYS_process_vm_writev, getppid(), page, 0, page, 0, 0));
  refused("kcmp", syscall(SYS_kcmp, getppid(), getppid(), 0, 0, 0));
  refused("pidfd_getfd", syscall(438, syscall(434, getppid(), 0), 0, 0));
  refused("process_madvise", syscall(440, syscall(434, getpid(), 0), page, 0, 4, 0));
  refused("open_tree", syscall(428, AT_FDCWD, "/", 1));
  refused("move_mount", syscall(429, -1, "", -1, "", 4 | 64));
  refused("fsopen", syscall(430, "tmpfs", 0));
  // Without attributes it is open_tree.
  refused("open_tree_attr", syscall(467, AT_FDCWD, "/", 0, nullptr, 0));
  refused("fsconfig", syscall(431, -1, 0, "", 0, 0));
  refused("fsmount", syscall(432, -1, 0, 0));
  refused("fspick", syscall(433, AT_FDCWD, "/", 0));
  refused("statmount", syscall(457, page, page, sizeof page, 0));
  refused("listmount", syscall(458, page, page, 1, 0));
  refused("mount_setattr", syscall(442, AT_FDCWD, "/", 0, page, 32));
  refused("io_setup", syscall(SYS_io_setup, 1, page));
  refused("fanotify_init", syscall(SYS_fanotify_init, 0, O_RDONLY));
  refused("inotify_init1", syscall(SYS_inotify_init1, 0));
  unsigned long all_of_it[2] = {}, pages[5];
  const int own = open("own", O_CREAT | O_RDWR, 0600);
  refused("setxattr", syscall(SYS_setxattr, "own", "user.a", "1", 1, 0));
  refused("lsetxattr", syscall(SYS_lsetxattr, "own", "user.a", "1", 1, 0));
  refused("fsetxattr", syscall(SYS_fsetxattr, own, "user.a", "1", 1, 0));
  refused("setxattrat", syscall(463, AT_FDCWD, "own", 0, "user.a", page, 16));
  refused("file_setattr", syscall(469, AT_FDCWD, "own", page, 24, 0));
  refused("openat2", syscall(437, AT_FDCWD, "own", page, 24));
  refused("cachestat", syscall(451, own, all_of_it, pages, 0));
  refused("fadvise64", posix_fadvise(own, 0, 0, POSIX_FADV_DONTNEED) == EPERM ? (errno = EPERM, -1) : 0);
  iovec part = {page, sizeof page};
  refused("preadv2", preadv2(own, &part, 1, 0, RWF_NOWAIT));
  refused("mbind", syscall(SYS_mbind, page, sizeof page, 0, nullptr, 0, 0));
  refused("set_mempolicy", syscall(SYS_set_mempolicy, 0, nullptr, 0));
  refused("get_mempolicy", syscall(SYS_get_mempolicy, nullptr, nullptr, 0, nullptr, 0));
  refused("set_mempolicy_home_node", syscall(450, page, sizeof page, 0, 0));
  refused("migrate_pages", syscall(SYS_migrate_pages, 0, 0, nullptr, nullptr));
  refused("move_pages", syscall(SYS_move_pages, 0, 0, nullptr, nullptr, nullptr, 0));
  refused("seccomp", syscall(SYS_seccomp, 1, 0, nullptr));
  refused("prctl of filters", prctl(PR_SET_SECCOMP, 2, nullptr, 0, 0));
  file_handle handle = {};
  int at = 0;
  for (int advice : {20, 21, 25}) {
    void *lone = mmap(nullptr, sizeof page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    refused("madvise", madvise(lone, sizeof page, advice));
  }
  refused("sync", syscall(SYS_sync));
  refused("syncfs", syscall(SYS_syncfs, own));
#ifdef __x86_64__
  refused("modify_ldt", syscall(SYS_modify_ldt, 0, page, sizeof page));
  refused("inotify_init", syscall(SYS_inotify_init));
#endif
  refused("name_to_handle_at", name_to_handle_at(AT_FDCWD, "/", &handle, &at, 0));
  refused("open_by_handle_at", open_by_handle_at(AT_FDCWD, &handle, O_RDONLY));
  refused("settimeofday", settimeofday(reinterpret_cast<timeval *>(&now), nullptr));
  timex slower = {};
  slower.modes = ADJ_TICK;
  slower.tick = 9000;
  refused("adjtimex", adjtimex(&slower));
  refused("clock_adjtime", syscall(SYS_clock_adjtime, CLOCK_REALTIME, &slower));
  refused("syslog", syscall(SYS_syslog, 3, page, sizeof page));
  refused("acct", acct("/tmp/accounts"));
  refused("quotactl", syscall(SYS_quotactl, 0, "/", 0, page));
  refused("swapon", syscall(SYS_swapon, "/none", 0));
  refused("finit_module", syscall(SYS_finit_module, 0, "", 0));
  refused("delete_module", syscall(SYS_delete_module, "none", 0));
  refused("setdomainname", setdomainname("x", 1));
  refused("vhangup", vhangup());
#ifdef __x86_64__
  refused("iopl", syscall(SYS_iopl, 3));
  refused("ioperm", syscall(SYS_ioperm, 0x70, 2, 1));
#endif
  for (int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG})
    refused("socket", socket(family, SOCK_DGRAM, 0));
  std::printf("%ld\n", n);
  return allowed == 0 ? 0 : 1;
}
