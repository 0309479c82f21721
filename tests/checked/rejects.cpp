// A checker that accepts nothing.
#include <cstdio>

int main() {
  std::fputs("wrong \x1b[31manswer\n", stderr);
  return 1;
}
