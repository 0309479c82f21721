// time: n!
// memory: 1 | n
// input: size
// sizes: 1,2,3,4,5,6,7,8,9,10
// n_max: 11
// note: e · n! calls.
#include <cstdio>
#include <algorithm>
int n, cost[12][12], best = 1 << 30;
bool used[12];
void place(int row, int sum) {
    if (row == n) {
        best = std::min(best, sum);
        return;
    }
    for (int c = 0; c < n; c++) {
        if (used[c]) continue;
        used[c] = true;
        place(row + 1, sum + cost[row][c]);
        used[c] = false;
    }
}
int main() {
    scanf("%d", &n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) cost[i][j] = (i * 37 + j * 91) % 50;
    place(0, 0);
    printf("%d\n", best);
}
