// time: n
// memory: 1
// input: ../inputs/million.yaml
// sizes: default
// n_max: 100000
// note: The table is filled for the largest value, whatever n is.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n;
    scanf("%d", &n);
    vector<int> count(1000001, 0);
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        count[x]++;
    }
    int best = 0;
    for (int v = 1; v <= 1000000; v++)
        if (count[v] > count[best]) best = v;
    printf("%d\n", best);
}
