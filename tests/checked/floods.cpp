// Prints 100 MB.
#include <cstdio>

int main() {
  for (int i = 0; i < 100'000'000; ++i) std::putchar('7');
}
