// Sorts by insertion.
// input: array.yaml
// sizes: 100,1000,3000,6000
#include <cstdio>
#include <vector>
int main() {
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<int> a(n);
    for (int i = 0; i < n; ++i) {
        int x, j = i;
        if (scanf("%d", &x) != 1) return 1;
        for (; j > 0 && a[j - 1] > x; --j) a[j] = a[j - 1];
        a[j] = x;
    }
    printf("%d\n", a[n / 2]);
}
