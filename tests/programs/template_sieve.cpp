// Sieves in templates, which takes the compiler more time or memory than it may use.
template <int Sieve, int N, int D> struct Prime {
  static const bool value = N % D != 0 && Prime<Sieve, N, D - 1>::value;
};
template <int Sieve, int N> struct Prime<Sieve, N, 1> { static const bool value = true; };
template <int Sieve, int N> struct Count {
  static const int value = Count<Sieve, N - 1>::value + Prime<Sieve, N, N - 1>::value;
};
template <int Sieve> struct Count<Sieve, 2> { static const int value = 1; };
int main() { return Count<0, 850>::value + Count<1, 850>::value + Count<2, 850>::value; }
