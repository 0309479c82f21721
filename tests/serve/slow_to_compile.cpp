// Takes the compiler seconds, and would take it for ever if it had no limits.
template <int depth, int side>
struct Tree {
    static constexpr long value = Tree<depth - 1, 2 * side>::value + Tree<depth - 1, 2 * side + 1>::value;
};
template <int side>
struct Tree<0, side> {
    static constexpr long value = side;
};

int main() {
    return Tree<22, 0>::value != 0;
}
