// expects: line 20 | line 21
// fix 20: for (int row = 0; row < side; row++) {
// fix 21: for (int column = 0; column < side; column++) {
#include <iostream>
#include <vector>
using namespace std;

int main() {
    int n;
    cin >> n;
    int side = n / 100 + 1;
    vector<vector<int>> grid(side, vector<int>(side));
    unsigned state = 6;
    for (int i = 0; i < side; i++) {
        grid[i][i * 31LL % side] = state >> 20;
        state = state * 1664525u + 1013904223u;
    }
    long long sum = 0;
    for (int round = 1; round <= 10; round++) {
        for (int column = 0; column < side; column++) {
            for (int row = 0; row < side; row++) {
                sum += (grid[row][column] ^ round) & 255;
            }
        }
    }
    cout << sum << "\n";
    return 0;
}
