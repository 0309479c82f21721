// time: 2ⁿ
// memory: 1
// input: ../inputs/few.yaml
// sizes: 1,4,8,12,14,16,18,20,22,24
// n_max: 24
#include <bits/stdc++.h>
using namespace std;
int n, best = INT_MAX;
long long total;
vector<int> a;
void choose(int i, long long sum) {
    if (i == n) {
        best = min<long long>(best, llabs(total - 2 * sum));
        return;
    }
    choose(i + 1, sum);
    choose(i + 1, sum + a[i]);
}
int main() {
    scanf("%d", &n);
    a.resize(n);
    for (int& x : a) scanf("%d", &x), total += x;
    choose(0, 0);
    printf("%d\n", best);
}
