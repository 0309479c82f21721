// time: 2ⁿ
// memory: 1
// input: size
// sizes: 1,4,8,12,15,18,20,22,24,26
// n_max: 26
// note: 2ⁿ - 1 moves on three stacks.
#include <iostream>
using namespace std;

int peg[3][64], height[3];
long long moves = 0, check = 0;

void moveTower(int disks, int from, int to, int via) {
    if (disks == 0) return;
    moveTower(disks - 1, from, via, to);
    int disk = peg[from][--height[from]];
    peg[to][height[to]++] = disk;
    moves++;
    check = (check * 7 + disk * 3 + to) % 1000003;
    moveTower(disks - 1, via, to, from);
}

int main() {
    int n;
    cin >> n;
    for (int d = n; d >= 1; d--) peg[0][height[0]++] = d;
    moveTower(n, 0, 2, 1);
    cout << moves << " " << height[2] << " " << check << endl;
}
