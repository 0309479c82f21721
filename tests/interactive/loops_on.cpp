// Says something and then never notices that nobody is there any more.
#include <cstdio>

int main() {
  char answer[10];
  std::puts("1");
  std::fflush(stdout);
  for (;;) std::scanf("%9s", answer);
}
