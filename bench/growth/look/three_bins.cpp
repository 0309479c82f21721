// time: 3ⁿ
// memory: 1
// input: ../inputs/few.yaml
// sizes: 1,2,4,6,8,10,11,12,13,14
// n_max: 14
#include <bits/stdc++.h>
using namespace std;
int n, best = INT_MAX;
vector<int> a;
void place(int i, int x, int y, int z) {
    if (i == n) {
        best = min(best, max({x, y, z}));
        return;
    }
    place(i + 1, x + a[i], y, z);
    place(i + 1, x, y + a[i], z);
    place(i + 1, x, y, z + a[i]);
}
int main() {
    scanf("%d", &n);
    a.resize(n);
    for (int& x : a) scanf("%d", &x);
    place(0, 0, 0, 0);
    printf("%d\n", best);
}
