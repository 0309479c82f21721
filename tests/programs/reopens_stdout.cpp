// Opens its standard streams again by name, as contest programs do with freopen.
#include <cstdio>

int main() {
  long n;
  if (!std::freopen("/dev/stdin", "r", stdin) || std::scanf("%ld", &n) != 1) return 2;
  if (!std::freopen("/dev/stdout", "w", stdout) || std::printf("%ld\n", n) <= 0) return 3;
  return std::freopen("/dev/stderr", "w", stderr) ? 0 : 4;
}
