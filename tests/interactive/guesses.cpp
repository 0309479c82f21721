// Finds the judge's number by halving.
#include <cstdio>

int main() {
  long low = 0, high = 1000000;
  char answer[10];
  for (;;) {
    const long middle = (low + high) / 2;
    std::printf("%ld\n", middle);
    std::fflush(stdout);
    if (std::scanf("%9s", answer) != 1) return 5;
    if (*answer == '=') return 0;
    (*answer == '<' ? low : high) = middle;
  }
}
