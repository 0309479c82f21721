// A checker that crashes.
#include <cstdlib>

int main() {
  std::abort();
}
