// Crashes at the first message.
#include <csignal>
#include <cstdio>

int main() {
  char word[100];
  if (std::scanf("%99s", word) != 1) return 1;
  std::raise(SIGSEGV);
}
