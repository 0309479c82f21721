// NUL bytes, invalid UTF-8, a long line, no newline at the end.
#include <cstdio>
#include <string>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::string odd("\0\xff\xfe\xc0\x80", 5);
  odd += std::string(1 << 20, 'x');
  std::fwrite(odd.data(), odd.size(), 1, stdout);
  std::fwrite(odd.data(), odd.size(), 1, stderr);
}
