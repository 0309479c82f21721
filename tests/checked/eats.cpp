// A checker that takes all memory.
#include <cstddef>
#include <cstring>
#include <new>

int main() {
  for (constexpr std::size_t block = 16 << 20;;) std::memset(new char[block], 1, block);
}
