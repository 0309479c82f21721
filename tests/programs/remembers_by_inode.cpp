// Works once, and then uses up inode numbers of scratch. Later runs see by the number of a new file
// that the work is done. Their output could hold the answer in the same way.
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static ino_t new_file() {
  struct stat file = {};
  const int made = open("new", O_CREAT | O_RDWR, 0600);
  fstat(made, &file);
  close(made);
  unlink("new");
  return file.st_ino;
}

int main() {
  constexpr int kMany = 2000;
  if (new_file() > kMany) return 0;
  const std::clock_t begun = std::clock();
  while (std::clock() - begun < CLOCKS_PER_SEC / 10) {
  }
  for (int at = 0; at < kMany; ++at) new_file();
}
