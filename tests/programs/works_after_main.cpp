// Works after main: in a function of atexit, in a destructor function and in a global object, which
// prints the answer.
#include <cstdio>
#include <cstdlib>
#include <ctime>

static void work(int part) {
  const std::clock_t begun = std::clock();
  while (std::clock() - begun < part * (CLOCKS_PER_SEC / 100)) {
  }
}

struct Answer {
  ~Answer() {
    work(4);
    std::puts("42");
  }
};
static const Answer answer;

__attribute__((destructor)) static void late() { work(3); }

int main() { std::atexit([] { work(4); }); }
