// n: 1000000
#include <cstdio>
#include <list>
int main() {
  int n;
  if (std::scanf("%d", &n) != 1) return 1;
  std::list<int> l;
  for (int i = 0; i < n; i++) i % 2 ? l.push_back(i) : l.push_front(i);
  long s = 0;
  for (int x : l) s += x;
  std::printf("%ld\n", s);
}
