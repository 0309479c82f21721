// Counts the solutions of n queens.
// sizes: 4,6,8,10
#include <iostream>
int queens(int n, unsigned columns, unsigned left, unsigned right) {
    unsigned all = (1u << n) - 1, open = all & ~(columns | left | right);
    if (columns == all) return 1;
    int found = 0;
    while (open) {
        unsigned bit = open & -open;
        open ^= bit;
        found += queens(n, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}
int main() {
    int n;
    std::cin >> n;
    std::cout << queens(n, 0, 0, 0) << '\n';
}
