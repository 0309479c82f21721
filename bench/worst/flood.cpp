#include <cstdio>
#include <string>
#include <vector>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    vector<string> grid(n);
    char line[2000];
    for (string &row : grid) scanf("%s", line), row = line;
    vector<pair<int, int>> stack;
    int area = 0;
    auto visit = [&](int x, int y) {
        if (x < 0 || y < 0 || x >= n || y >= n || grid[x][y] != '.') return;
        grid[x][y] = '#';
        ++area;
        stack.push_back({x, y});
    };
    visit(0, 0);
    while (!stack.empty()) {
        auto [x, y] = stack.back();
        stack.pop_back();
        visit(x + 1, y), visit(x - 1, y), visit(x, y + 1), visit(x, y - 1);
    }
    printf("%d\n", area);
}
