// Tries what no contest program needs, and names on stderr what was not refused.
#include <cerrno>
#include <cstdio>
#include <initializer_list>
#include <fcntl.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

static int allowed = 0;

static void refused(const char *what, long result) {
  if (result >= 0) {
    std::fprintf(stderr, "not refused: %s\n", what);
    ++allowed;
  }
}

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  timespec now = {0, 0};
  char page[4096] = {0};
  refused("ptrace", ptrace(PTRACE_SEIZE, getppid(), 0, 0));
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
  refused("perf_event_open", syscall(SYS_perf_event_open, page, 0, -1, -1, 0));
  refused("shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
  refused("clock_settime", clock_settime(CLOCK_REALTIME, &now));
  refused("reboot", reboot(RB_DISABLE_CAD));
  refused("sethostname", sethostname("x", 1));
  refused("swapoff", syscall(SYS_swapoff, "/none"));
  refused("init_module", syscall(SYS_init_module, page, 0, ""));
  refused("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
  refused("personality", personality(PER_BSD) >= 0 ? 0 : -1);
  refused("setpriority", setpriority(PRIO_PROCESS, 0, -5));
  for (int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_ALG})
    refused("socket", socket(family, SOCK_DGRAM, 0));
  std::printf("%ld\n", n);
  return allowed == 0 ? 0 : 1;
}
