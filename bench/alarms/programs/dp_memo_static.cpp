// Counts paths in a grid with walls, with a static table as memory.
// input: grid.yaml
// sizes: 10,100,300,500
#include <cstdio>
#include <cstring>
static char cells[1001][1002];
static int memory[1001][1001], n;
int paths(int row, int column) {
    if (row == n || column == n || cells[row][column] == '#') return 0;
    if (row == n - 1 && column == n - 1) return 1;
    int &known = memory[row][column];
    if (known < 0) known = (paths(row + 1, column) + paths(row, column + 1)) % 1000007;
    return known;
}
int main() {
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; ++i)
        if (scanf("%1001s", cells[i]) != 1) return 1;
    memset(memory, -1, sizeof memory);
    printf("%d\n", paths(0, 0));
}
