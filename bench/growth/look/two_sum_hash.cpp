// time: n
// memory: n
// input: ../inputs/array.yaml
// sizes: default
// n_max: 100000
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n;
    scanf("%d", &n);
    unordered_set<int> seen;
    int found = 0;
    for (int i = 0; i < n; i++) {
        int x;
        scanf("%d", &x);
        found += seen.count(1000000000 - x);
        seen.insert(x);
    }
    printf("%d\n", found);
}
