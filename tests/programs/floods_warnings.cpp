// Causes warnings without end.
#define ONE 1 / 0;
#define TEN ONE ONE ONE ONE ONE ONE ONE ONE ONE ONE
template <int N> void warn() {
  struct Local { int never_read; };
  int y;
  y == N;
  TEN
  unsigned u = -1;
  u < 0;
  if constexpr (N > 0) warn<N - 1>();
}
int main() {
  if (false) warn<400>();
}
