// Takes locks and leases on every file that the runner opens again, and finds those of earlier runs.
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <sys/file.h>
#include <unistd.h>

int main() {
  std::signal(SIGIO, SIG_IGN);
  for (int file : {0, 1, 2, open("/proc/self/exe", O_RDONLY), open("/tmp", O_RDONLY)}) {
    if (flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return 3;
    fcntl(file, F_SETLEASE, F_WRLCK);
    fcntl(file, F_SETLEASE, F_RDLCK);
    fcntl(file, F_NOTIFY, DN_MODIFY | DN_MULTISHOT);
    struct flock all = {F_WRLCK, SEEK_SET, 0, 0, 0};
    if (fcntl(file, F_OFD_SETLK, &all) != 0 && errno == EAGAIN) return 4;
  }
  if (fork() == 0)
    for (;;) pause();
}
