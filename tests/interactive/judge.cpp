// Thinks of a number below n * n and answers guesses until one is right.
#include <cstdio>

int main(int, char **argv) {
  long n, guess;
  std::FILE *input = std::fopen(argv[1], "r");
  if (input == nullptr || std::fscanf(input, "%ld", &n) != 1) return 2;
  const long secret = n * n * 2 / 3;
  for (int turn = 0; turn < 100; ++turn) {
    if (std::scanf("%ld", &guess) != 1) {
      std::fprintf(stderr, "no guess in turn %d\n", turn);
      return 1;
    }
    std::puts(guess < secret ? "<" : guess > secret ? ">" : "=");
    std::fflush(stdout);
    if (guess == secret) return 0;
  }
  std::fprintf(stderr, "too many guesses\n");
  return 1;
}
