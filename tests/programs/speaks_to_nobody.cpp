// Sockets of every family and kind, abstract names, and pairs: all refused.
#include <cstdio>
#include <initializer_list>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main() {
  int made = 0;
  for (int family = 0; family < 64; ++family)
    for (int kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET})
      for (int protocol : {0, 1, 6, 17, 255})
        if (socket(family, kind, protocol) >= 0) {
          std::fprintf(stderr, "family %d, kind %d, protocol %d\n", family, kind, protocol);
          ++made;
        }
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) ++made;
  // Descriptors that might be another process's sockets.
  sockaddr_un abstract = {AF_UNIX, "\0swiftprof"};
  for (int file = 0; file < 64; ++file) {
    if (connect(file, reinterpret_cast<sockaddr *>(&abstract), 12) == 0) ++made;
    if (bind(file, reinterpret_cast<sockaddr *>(&abstract), 12) == 0) ++made;
  }
  return made == 0 ? 0 : 1;
}
