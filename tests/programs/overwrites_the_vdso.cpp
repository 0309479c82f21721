// Overwrites the code by which the kernel tells the time to programs, as far as it may, and works
// for 100 ms by the kernel's clock.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int main() {
  void *vdso = reinterpret_cast<void *>(getauxval(AT_SYSINFO_EHDR));
  if (vdso != nullptr && mprotect(vdso, 4096, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
    std::memset(static_cast<char *>(vdso) + 1024, 0xc3, 3072);
  for (timespec spent = {}; spent.tv_nsec < 100'000'000 && spent.tv_sec == 0;)
    syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &spent);
  std::puts("42");
  std::fflush(stdout);
  _exit(0);
}
