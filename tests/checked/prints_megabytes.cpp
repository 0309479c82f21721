// A checker that prints 5 MB to both outputs, and accepts.
#include <cstdio>

int main() {
  for (int i = 0; i < 5'000'000; ++i) {
    std::putchar('a');
    std::putc('b', stderr);
  }
}
