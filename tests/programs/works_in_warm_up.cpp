// Works only if its parent is not pid 1, which is so in the warm-up under /usr/bin/time.
#include <ctime>
#include <unistd.h>

int main() {
  if (getppid() == 1) return 0;
  const std::clock_t begun = std::clock();
  while (std::clock() - begun < CLOCKS_PER_SEC / 10) {
  }
}
