// A vector that doubles without end.
#include <cstdio>
#include <vector>

int main() {
  long n;
  if (std::scanf("%ld", &n) != 1) return 2;
  std::vector<long> numbers;
  for (;;) numbers.push_back(n);
}
