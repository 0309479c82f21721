// Ends with the code that it is told.
#include <cstdio>

int main() {
  int code = 0;
  return std::scanf("%d", &code) == 1 ? code : 0;
}
