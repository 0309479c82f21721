// Exits with the code in its input.
#include <cstdio>

int main() {
  int code = 0;
  return std::scanf("%d", &code) == 1 ? code : 0;
}
