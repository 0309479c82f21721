// n: 320
#include <cstdio>
#include <vector>
int main() {
  int n;
  if (std::scanf("%d", &n) != 1) return 1;
  std::vector<double> a(n * n, 1.5), b(n * n, 2.5), c(n * n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
  std::printf("%f\n", c[n]);
}
