// Counts the connected areas of a grid; a queue floods each of them. n is the number of cells. What
// to see: time is linear in the cells; memory is the grid and the queue.
#include <iostream>
#include <queue>
#include <string>
#include <utility>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    int rows = 0, cols = 0, areas = 0;
    std::cin >> rows >> cols;
    std::vector<std::string> grid(rows);
    for (auto& row : grid) std::cin >> row;
    std::queue<std::pair<int, int>> queue;
    auto flood = [&](int row, int col) {
        if (row < 0 || col < 0 || row >= rows || col >= cols || grid[row][col] == '#') return false;
        grid[row][col] = '#';
        queue.push({row, col});
        return true;
    };
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) {
            areas += flood(row, col);
            while (!queue.empty()) {
                auto [r, c] = queue.front();
                queue.pop();
                flood(r + 1, c), flood(r - 1, c), flood(r, c + 1), flood(r, c - 1);
            }
        }
    std::cout << areas << '\n';
}
