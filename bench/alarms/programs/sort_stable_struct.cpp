// Sorts structures of 64 bytes by a stable sort.
// input: array.yaml
#include <algorithm>
#include <iostream>
#include <vector>
struct Row { int key, rest[15]; };
int main() {
    int n;
    std::cin >> n;
    std::vector<Row> rows(n);
    for (auto &row : rows) std::cin >> row.key, row.rest[3] = row.key % 10;
    std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
        return a.rest[3] < b.rest[3];
    });
    std::cout << (n ? rows[n / 2].key : 0) << '\n';
}
