// Shuffles with a generator seeded by the clock before it sorts, against bad orders.
// input: array.yaml
// varies: work
#include <bits/stdc++.h>
using namespace std;
mt19937 rng(chrono::steady_clock::now().time_since_epoch().count());
void quick(vector<int> &a, int low, int high) {
    if (low >= high) return;
    int pivot = a[(low + high) / 2], i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot) ++i;
        while (a[j] > pivot) --j;
        if (i <= j) swap(a[i++], a[j--]);
    }
    quick(a, low, j);
    quick(a, i, high);
}
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    shuffle(a.begin(), a.end(), rng);
    quick(a, 0, n - 1);
    for (int i = 0; i < n; i += 1000) printf("%d ", a[i]);
    puts("");
}
