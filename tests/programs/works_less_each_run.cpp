// Does less and less of its work from run to run, so that nothing but many small steps lies between
// the first run and the last. The number of a new file in scratch tells which run this is.
#include <cmath>
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
  constexpr int kFilesOfARun = 100;
  const double run = new_file() / kFilesOfARun;
  const std::clock_t begun = std::clock();
  while (std::clock() - begun < std::pow(0.72, run) * CLOCKS_PER_SEC / 10) {
  }
  for (int at = 0; at < kFilesOfARun; ++at) new_file();
}
