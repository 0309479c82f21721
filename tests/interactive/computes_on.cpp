// Goes on for a while, whether or not anybody listens.
#include <ctime>

int main() {
  while (std::clock() < CLOCKS_PER_SEC / 20) {}
}
