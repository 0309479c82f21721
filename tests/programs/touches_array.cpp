// Touches 4 GiB that it allocated at once.
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  int *array = new int[1 << 30];
  for (long i = 0; i < 1 << 30; i += 1024) array[i] = static_cast<int>(n);
  std::printf("%d\n", array[n]);
}
