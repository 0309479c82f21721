// Leaves files that are hard to remove or open, under names that the runner also looks for.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main() {
  mkfifo("gmon.out", 0600);
  mkfifo("main.out", 0);
  if (symlink("/code/own/source", "main.cpp") != 0) return 3;
  if (symlink("/", "root") != 0 || symlink("loop", "loop") != 0) return 4;
  mkdir("closed", 0);
  mkdir("\xff\xfe\n", 0);
  mkdir("folder", 0700);
  close(open("folder/file", O_CREAT | O_WRONLY, 0));
  int sparse = open("sparse", O_CREAT | O_WRONLY, 0);
  return ftruncate(sparse, 40 << 20) == 0 && link("sparse", "again") == 0 ? 0 : 5;
}
