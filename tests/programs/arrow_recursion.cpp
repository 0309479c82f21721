// Each arrow leads to another type with an arrow.
template <int N> struct Arrow {
  Arrow<N + 1> operator->() { return {}; }
};
int main() { return Arrow<0>()->end; }
