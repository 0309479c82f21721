// A child computes for 200 ms. How it stays out of sums depends on n. The parent sleeps meanwhile.
#include <csignal>
#include <cstdio>
#include <ctime>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(int to) {
  while (std::clock() < CLOCKS_PER_SEC / 5) {
  }
  char done = 1;
  while (write(to, &done, 1) != 1) {
  }
  _exit(0);
}

int main() {
  int n = 0, line[2];
  if (std::scanf("%d", &n) != 1 || pipe(line) != 0) return 2;
  struct sigaction unwaited = {};
  unwaited.sa_handler = SIG_DFL;
  unwaited.sa_flags = SA_NOCLDWAIT;
  switch (n) {
  case 0: // The kernel reaps the child.
    std::signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) work(line[1]);
    break;
  case 1: // The same, by a flag.
    sigaction(SIGCHLD, &unwaited, nullptr);
    if (fork() == 0) work(line[1]);
    break;
  case 2: // Nobody waits for it.
    if (fork() == 0) work(line[1]);
    break;
  case 3: // It belongs to nobody.
    if (fork() == 0) {
      if (fork() == 0) work(line[1]);
      _exit(0);
    }
    wait(nullptr);
    break;
  case 4: // Its end sends no signal.
    if (syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr) == 0) work(line[1]);
    break;
  case 5: { // As 0. The kernel ignores the upper half of the signal's register.
    const long action[4] = {1}; // SIG_IGN, no flags
    syscall(SYS_rt_sigaction, (1L << 32) | SIGCHLD, action, nullptr, 8L);
    if (fork() == 0) work(line[1]);
    break;
  }
  }
  char done = 0;
  if (read(line[0], &done, 1) != 1) return 3;
  std::puts("done");
}
