#include <cstdio>
#include <vector>
using namespace std;

void sort(vector<int> &a, int low, int high) {
    int i = low, j = high, pivot = a[(low + high) / 2];
    while (i <= j) {
        while (a[i] < pivot) ++i;
        while (a[j] > pivot) --j;
        if (i <= j) swap(a[i++], a[j--]);
    }
    if (low < j) sort(a, low, j);
    if (i < high) sort(a, i, high);
}
int main() {
    int n;
    scanf("%d", &n);
    vector<int> a(n);
    for (int &x : a) scanf("%d", &x);
    sort(a, 0, n - 1);
    printf("%d\n", a[n / 2]);
}
