// A judge that computes for 20 ms before it answers and has 40 MiB; it reads its input from the
// descriptor itself.
#include <cstdio>
#include <cstring>
#include <ctime>

int main() {
  long n, guess;
  std::FILE *input = fdopen(3, "r");
  if (input == nullptr || std::fscanf(input, "%ld", &n) != 1) return 2;
  static char memory[40 << 20];
  std::memset(memory, static_cast<int>(n), sizeof memory);
  for (int turn = 0; turn < 10; ++turn) {
    if (std::scanf("%ld", &guess) != 1) return 1;
    const std::clock_t begun = std::clock();
    while (std::clock() - begun < CLOCKS_PER_SEC / 50) {}
    std::puts(turn == 9 && memory[guess % 100] == n ? "=" : "<");
    std::fflush(stdout);
  }
}
