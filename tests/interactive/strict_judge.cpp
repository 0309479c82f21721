// Accepts nothing.
#include <cstdio>

int main() {
  char word[100];
  if (std::scanf("%99s", word) != 1) return 3;
  std::fprintf(stderr, "wrong answer: %s\n", word);
  return 1;
}
