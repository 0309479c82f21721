// Lets a thread work, whose instructions are not counted.
#include <cstdio>
#include <ctime>
#include <thread>

int main() {
  long answer = 0;
  std::thread worker([&answer] {
    while (std::clock() < CLOCKS_PER_SEC / 10) {
    }
    answer = 42;
  });
  worker.join();
  std::printf("%ld\n", answer);
}
