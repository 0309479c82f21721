// Starts threads without end.
#include <cstdio>
#include <thread>
#include <unistd.h>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  for (;;) std::thread([] { pause(); }).detach();
}
