// Floods the areas of a grid by recursion.
// input: grid.yaml
// sizes: 10,50,100,200
#include <iostream>
#include <string>
#include <vector>
std::vector<std::string> cells;
int flood(int row, int column) {
    if (row < 0 || column < 0 || row >= (int)cells.size() || column >= (int)cells[row].size() ||
        cells[row][column] != '.')
        return 0;
    cells[row][column] = '#';
    return 1 + flood(row + 1, column) + flood(row - 1, column) + flood(row, column + 1) +
           flood(row, column - 1);
}
int main() {
    int n, largest = 0;
    std::cin >> n;
    cells.resize(n);
    for (auto &row : cells) std::cin >> row;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) largest = std::max(largest, flood(i, j));
    std::cout << largest << '\n';
}
