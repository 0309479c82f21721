// Instantiates templates until the compiler gives up.
template <int N> struct Deep { static constexpr long value = Deep<N + 1>::value + 1; };
int main() { return Deep<0>::value; }
