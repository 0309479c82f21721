// Checks that namespaces of every kind are refused, by each call that makes one.
#include <cstdio>
#include <initializer_list>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  int made = 0;
  for (int kind : {CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWIPC,
                   CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80}) {
    if (unshare(kind) == 0 || unshare(kind | CLONE_NEWUSER) == 0) ++made;
    if (kind == 0x80) continue;
    for (long flags : {static_cast<long>(kind), static_cast<long>(kind | CLONE_NEWUSER)}) {
      long pid = syscall(SYS_clone, flags | 17, 0, 0, 0, 0);
      if (pid == 0) _exit(0);
      if (pid > 0) ++made;
    }
  }
  unsigned long arguments[11] = {CLONE_NEWUSER, 0, 0, 0, 17};
  long pid = syscall(SYS_clone3, arguments, sizeof arguments);
  if (pid == 0) _exit(0);
  if (pid > 0) ++made;
  while (wait(nullptr) > 0) {
  }
  std::fprintf(stderr, "%d made\n", made);
  return made == 0 ? 0 : 1;
}
