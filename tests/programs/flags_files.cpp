// Looks for file flags and hints that an earlier run has left, and leaves some for the next one.
// The kernel reads half of a request, so the other half may hold anything.
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main() {
  int kept = 0;
  const int files[] = {0, 1, 2, open(".", O_RDONLY), open("/proc/self/exe", O_RDONLY),
                       open("/code", O_RDONLY)};
  for (int file : files) {
    int flags = 0;
    unsigned long long hint = 0;
    if (ioctl(file, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_NODUMP_FL) != 0) ++kept;
    if (fcntl(file, F_GET_RW_HINT, &hint) == 0 && hint != 0) ++kept;
    for (unsigned long above : {0UL, 1UL << 32, ~0UL << 32}) {
      flags |= FS_NODUMP_FL;
      fsxattr attributes = {};
      attributes.fsx_xflags = FS_XFLAG_NODUMP;
      hint = RWH_WRITE_LIFE_SHORT;
      if (syscall(SYS_ioctl, file, above | FS_IOC_SETFLAGS, &flags) == 0) ++kept;
      if (syscall(SYS_ioctl, file, above | FS_IOC32_SETFLAGS, &flags) == 0) ++kept;
      if (syscall(SYS_ioctl, file, above | FS_IOC_FSSETXATTR, &attributes) == 0) ++kept;
      if (syscall(SYS_fcntl, file, above | F_SET_RW_HINT, &hint) == 0) ++kept;
    }
    // file_setattr of Linux 6.17: extended flags, and fields that stay 0.
    unsigned long long attributes[3] = {FS_XFLAG_NODUMP};
    if (syscall(469, file, "", attributes, sizeof attributes, AT_EMPTY_PATH) == 0) ++kept;
  }
  return kept == 0 ? 0 : 1;
}
