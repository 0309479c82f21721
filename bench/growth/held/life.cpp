// time: n²
// memory: n²
// input: ../inputs/grid.yaml
// sizes: 50,100,200,400,700,1000
// n_max: 1000
// note: Ten generations on a torus; n is the side.
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int n;

vector<string> step(const vector<string>& g) {
    vector<string> next(n, string(n, '.'));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int alive = 0;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++) {
                    if (di == 0 && dj == 0) continue;
                    int r = (i + di + n) % n, c = (j + dj + n) % n;
                    if (g[r][c] == '#') alive++;
                }
            if (alive == 3 || (alive == 2 && g[i][j] == '#')) next[i][j] = '#';
        }
    }
    return next;
}

int main() {
    cin >> n;
    vector<string> grid(n);
    for (int i = 0; i < n; i++) cin >> grid[i];
    for (int gen = 0; gen < 10; gen++) grid = step(grid);
    int alive = 0;
    for (const string& row : grid)
        for (char c : row) alive += c == '#';
    cout << alive << endl;
    return 0;
}
