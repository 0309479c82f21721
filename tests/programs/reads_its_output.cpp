// Tries to read what it has written, as memory that counts as output. Opening an output again to
// write it, as contest programs do, must go on working.
#include <cstdio>
#include <fcntl.h>
#include <initializer_list>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

static int readable = 0;

static void refused(const char *what, long result) {
  if (result < 0) return;
  std::fprintf(stderr, "not refused: %s\n", what);
  ++readable;
}

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (const char *path : {"/dev/stdout", "/dev/stderr", "/proc/self/fd/1", "/proc/self/fd/2"}) {
    std::FILE *again = std::fopen(path, "w");
    if (again == nullptr || std::fputs("kept\n", again) < 0 || std::fclose(again) != 0) return 3;
  }
  int ends[2];
  if (pipe(ends) != 0) return 2;
  for (int file : {1, 2}) {
    char kept[8];
    off_t begin = 0;
    off64_t from = 0;
    refused("pread", pread(file, kept, sizeof kept, 0));
    refused("sendfile", sendfile(ends[1], file, &begin, sizeof kept));
    refused("splice", splice(file, &from, ends[1], nullptr, sizeof kept, SPLICE_F_NONBLOCK));
    for (int flags : {MAP_PRIVATE, MAP_SHARED})
      if (mmap(nullptr, sizeof kept, PROT_READ, flags, file, 0) != MAP_FAILED) refused("mmap", 0);
  }
  for (const char *path :
       {"/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1",
        "/proc/self/fd/2", "/proc/thread-self/fd/1", "/code/out", "/code/out/stdout",
        "/code/out/stderr", "/proc/self/root/code/out/stderr"})
    for (int mode : {O_RDONLY, O_RDWR}) refused(path, open(path, mode));
  return readable == 0 ? 0 : 1;
}
