// Copies 3 GiB, one MiB with each instruction, and executes just enough others for a count that
// time does not refute.
#include <cstddef>
#include <cstdio>

int main() {
  static char from[1 << 20], to[1 << 20];
  for (int copy = 0; copy < 3072; ++copy) {
    const void *source = from;
    void *target = to;
    std::size_t bytes = sizeof to;
    asm volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(bytes) : : "memory");
  }
  for (volatile long step = 0; step < 3'000'000; step = step + 1) {
  }
  std::puts("42");
}
