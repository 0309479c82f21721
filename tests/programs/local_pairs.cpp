// 16 MB on the stack, all of it with a constructor.
#include <utility>

int main() {
  struct {
    std::pair<int, int> pairs[2000000];
  } local;
  return local.pairs[1].first;
}
