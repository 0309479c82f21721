// 80 MB of local variables fit into the stack limit.
#include <cstdio>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  volatile char locals[80000000];
  for (long i = 0; i < 80000000; i += 4096) locals[i] = static_cast<char>(i);
  std::printf("%d\n", locals[n * 4096]);
}
