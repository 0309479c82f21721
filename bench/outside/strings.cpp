// n: 400000
#include <cstdio>
#include <string>
#include <vector>
int main() {
  int n;
  if (std::scanf("%d", &n) != 1) return 1;
  std::vector<std::string> v;
  for (int i = 0; i < n; i++) v.push_back("a word of number " + std::to_string(i));
  std::size_t all = 0;
  for (auto& s : v) all += s.size();
  std::printf("%zu\n", all);
}
