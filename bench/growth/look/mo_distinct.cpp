// time: n√n
// memory: n
// input: ../inputs/ranges.yaml
// sizes: default
// n_max: 100000
// note: Mo's order over n ranges.
#include <bits/stdc++.h>
using namespace std;
int main() {
    int n, q;
    scanf("%d %d", &n, &q);
    vector<int> a(n), count(n + 1, 0);
    for (auto& x : a) scanf("%d", &x);
    int b = max(1, (int)sqrt((double)n));
    vector<array<int, 2>> queries(q);
    for (auto& [l, r] : queries) {
        scanf("%d %d", &l, &r);
        l--, r--;
    }
    sort(queries.begin(), queries.end(), [b](const auto& x, const auto& y) {
        int i = x[0] / b, j = y[0] / b;
        if (i != j) return i < j;
        return i % 2 ? x[1] > y[1] : x[1] < y[1];
    });
    int left = 0, right = -1, distinct = 0;
    long long sum = 0;
    for (auto& [l, r] : queries) {
        while (left > l) distinct += count[a[--left]]++ == 0;
        while (right < r) distinct += count[a[++right]]++ == 0;
        while (left < l) distinct -= --count[a[left++]] == 0;
        while (right > r) distinct -= --count[a[right--]] == 0;
        sum += distinct;
    }
    printf("%lld\n", sum);
}
