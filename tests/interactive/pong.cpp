// Answers n times, and then ends the conversation.
#include <cstdio>
#include <unistd.h>

int main(int, char **argv) {
  long n;
  char byte;
  if (std::fscanf(std::fopen(argv[1], "r"), "%ld", &n) != 1) return 2;
  for (long turn = 1; turn <= n; ++turn)
    if (read(0, &byte, 1) != 1 || write(1, turn < n ? "." : "!", 1) != 1) return 1;
}
