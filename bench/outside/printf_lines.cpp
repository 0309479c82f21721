// n: 400000
#include <cstdio>
int main() {
  int n;
  if (std::scanf("%d", &n) != 1) return 1;
  for (int i = 0; i < n; i++) std::printf("%d %d\n", i, i * 7);
}
