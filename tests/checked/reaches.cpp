// A checker that looks for what it may not have, and accepts if it gets nothing of it.
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static int reached = 0;

static void closed(const char *path, int flags) {
  int file = open(path, flags, 0600);
  if (file < 0) return;
  std::fprintf(stderr, "opened %s; ", path);
  ++reached;
  close(file);
}

int main(int, char **argv) {
  for (const char *path : {"/proc/1/mem", "/proc/1/environ", "/etc/shadow", "/var/run/docker.sock",
                           "/run/docker.sock", "/sys/fs/cgroup/memory.current"})
    closed(path, O_RDONLY);
  for (int file = 1; file <= 3; ++file) closed(argv[file], O_WRONLY);
  for (const char *path : {"/code/bin/plain", "/code/left", "/usr/bin/g++"}) closed(path, O_WRONLY);
  closed("/code/bin/left", O_CREAT | O_WRONLY);
  for (int descriptor = 3; descriptor < 100; ++descriptor)
    if (fcntl(descriptor, F_GETFD) >= 0) ++reached;
  // The kernel may ignore these and still return 0.
  kill(-1, SIGKILL);
  kill(1, SIGKILL);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(53);
  address.sin_addr.s_addr = htonl(0x08080808);
  int network = socket(AF_INET, SOCK_STREAM, 0);
  if (network >= 0 && connect(network, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0)
    ++reached;
  if (reached > 0) std::fputs("reached something\n", stderr);
  return reached == 0 ? 0 : 1;
}
