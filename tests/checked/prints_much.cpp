// Prints more than a checker reads, and less than a program may.
#include <cstdio>

int main() {
  for (int i = 0; i < 20'000'000; ++i) std::putchar('7');
}
