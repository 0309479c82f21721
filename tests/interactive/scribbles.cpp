// Uses its scratch, and says 7 if that works.
#include <cstdio>
#include <sys/stat.h>

int main() {
  mkdir("folder", 0700);
  std::FILE *file = std::fopen("folder/file", "w");
  if (file == nullptr || std::fputs("7", file) < 0 || std::fclose(file) != 0) return 1;
  std::puts("7");
}
