// Works before main: in a constructor function and in a global object.
#include <cstdio>
#include <ctime>

static void work_until(std::clock_t end) {
  while (std::clock() < end) {
  }
}

__attribute__((constructor(101))) static void early() { work_until(CLOCKS_PER_SEC / 20); }

struct Answer {
  long value;
  Answer() : value(42) { work_until(CLOCKS_PER_SEC / 10); }
};
static const Answer answer;

int main() { std::printf("%ld\n", answer.value); }
