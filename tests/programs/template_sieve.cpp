// A sieve in templates, for which the compiler needs longer than it may take.
template <int N, int D> struct Prime {
  static const bool value = N % D != 0 && Prime<N, D - 1>::value;
};
template <int N> struct Prime<N, 1> { static const bool value = true; };
template <int N> struct Count {
  static const int value = Count<N - 1>::value + Prime<N, N - 1>::value;
};
template <> struct Count<2> { static const int value = 1; };
int main() { return Count<850>::value; }
