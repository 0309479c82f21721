// Writes 45 MB and holds little. Output is not memory of the program.
#include <cstdio>

int main() {
  for (int line = 0; line < 4'500'000; ++line) std::puts("123456789");
}
