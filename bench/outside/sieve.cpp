// n: 8000000
#include <cstdio>
#include <vector>
int main() {
  int n, k = 0;
  if (std::scanf("%d", &n) != 1) return 1;
  std::vector<char> composite(n + 1);
  for (int i = 2; i <= n; i++) {
    if (composite[i]) continue;
    k++;
    for (long j = 1L * i * i; j <= n; j += i) composite[j] = 1;
  }
  std::printf("%d\n", k);
}
