// Picks pivots with rand() after srand(clock()).
// input: array.yaml
// varies: work
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>
int main() {
    srand(clock());
    int n;
    if (scanf("%d", &n) != 1) return 1;
    std::vector<int> a(n);
    for (int &x : a)
        if (scanf("%d", &x) != 1) return 1;
    int low = 0, high = n - 1, middle = n / 2;
    while (low < high) {
        int pivot = a[low + rand() % (high - low + 1)], i = low, j = high;
        while (i <= j) {
            while (a[i] < pivot) ++i;
            while (a[j] > pivot) --j;
            if (i <= j) std::swap(a[i++], a[j--]);
        }
        if (middle <= j) high = j;
        else if (middle >= i) low = i;
        else break;
    }
    printf("%d\n", n ? a[middle] : 0);
}
