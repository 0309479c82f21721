// Makes the compiler compute for ever.
constexpr int endless() {
  int sum = 0;
  for (long i = 0; i < 1L << 40; ++i) sum += static_cast<int>(i);
  return sum;
}
static_assert(endless() == 0);
int main() {}
